// A lab: one partner with its state, which is that of the Go program kept alive in the object. All requests of a lab
// come to its one object, so that a limit is exact however many come at once.
import { DurableObject } from "cloudflare:workers";
import { boot, serve } from "./gohost.mjs";

export class Lab extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.go = await boot(env, ctx);
    });
  }

  fetch(request) {
    if (this.go.dead) this.ctx.abort("the Go program has ended"); // the next request makes the object anew
    return serve(this.go, request);
  }
}
