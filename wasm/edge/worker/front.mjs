// The entry of the Worker: it finds the Durable Object that a request belongs to. Today there is one, which keeps the
// state of the one partner; an object per lab will be found by the lab's id. Nothing is decided here.
export { Lab } from "./lab.mjs";

export default {
  async fetch(request, env) {
    try {
      return await env.LAB.get(env.LAB.idFromName("work")).fetch(request);
    } catch (error) {
      console.error(error); // what the Go program printed stands before it
      const problem = { type: "about:blank", title: "Service Unavailable", status: 503, detail: "The partner does not start." };
      return new Response(JSON.stringify(problem), {
        status: 503,
        headers: { "Content-Type": "application/problem+json", "Cache-Control": "no-store" },
      });
    }
  },
};
