// The entry of the Worker: it finds the object that a request belongs to. Nothing is decided here.
export { Lab } from "./lab.mjs";

const lab = /^\/v1\/labs\/([0-9a-f]{64})(?:\/|$)/;

// types are the content types of the playground's files where the host of files knows none: plain workerd does not.
const types = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  mjs: "text/javascript; charset=utf-8",
  py: "text/x-python; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
};

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    try {
      return await (pathname.startsWith("/v1/") ? object(env, pathname).fetch(request) : page(request, env, pathname));
    } catch (error) {
      console.error(error); // what the Go program printed stands before it
      return problem(503, "Service Unavailable", "The program does not start.");
    }
  },
};

// object gives a lab's object, or the desk, which answers for all that belongs to no lab: new ones are made there, because
// it counts them.
function object({ LAB }, pathname) {
  const found = lab.exec(pathname);
  if (found !== null) {
    try {
      return LAB.get(LAB.idFromString(found[1]));
    } catch {
      // No id that this Worker has given out: nobody's object is made for it.
    }
  }
  return LAB.get(LAB.idFromName("desk"));
}

async function page(request, { ASSETS }, pathname) {
  const path = pathname === "/" ? "/index.html" : pathname;
  const found = await ASSETS.fetch(new Request("http://assets" + path, { method: request.method, headers: request.headers }));
  const type = types[path.slice(path.lastIndexOf(".") + 1)];
  if (!found.ok || type === undefined) return found;
  const answer = new Response(found.body, found);
  answer.headers.set("Content-Type", type);
  return answer;
}

function problem(status, title, detail) {
  return new Response(JSON.stringify({ type: "about:blank", title, status, detail }), {
    status,
    headers: { "Content-Type": "application/problem+json", "Cache-Control": "no-store" },
  });
}
