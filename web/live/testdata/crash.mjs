// The Worker, whose Go program can be made to crash: with the header X-Crash it gets a request that is none.
import front, { Lab as Whole } from "./front.mjs";

export class Lab extends Whole {
  async fetch(request) {
    if (!request.headers.has("X-Crash")) return super.fetch(request);
    const { binding } = await this.program();
    try {
      binding.handle();
    } catch {
      // Go's panic ends the program; what the call throws besides is of no interest.
    }
    return new Response("crashed\n");
  }
}

export default front;
