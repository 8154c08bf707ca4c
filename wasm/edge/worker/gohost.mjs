// Starts a Go program and hands requests to it. wasm_exec.js and runtime.mjs are generated (make edge); their own
// worker.mjs starts a program for each request, which would forget the limiter's state.
import "./wasm_exec.js";
import { createRuntimeContext, loadModule } from "./runtime.mjs";

// boot gives a program that is ready to serve.
export async function boot(env, ctx) {
  const module = await loadModule();
  const go = new Go();
  const host = { binding: {}, dead: false };
  await new Promise((ready) => {
    const end = () => {
      host.dead = true;
      ready();
    };
    const instance = new WebAssembly.Instance(module, { ...go.importObject, workers: { ready } });
    go.run(instance, createRuntimeContext({ env, ctx, binding: host.binding })).then(end, end);
  });
  if (host.dead) throw new Error("the Go program ended before it was ready");
  return host;
}

// serve lets the program answer.
export async function serve(host, request) {
  const { binding } = host;
  const body = request.body === null ? null : await read(request.body, binding.maxBody + 1);
  return new Promise((resolve) => {
    binding.handle(request.method, request.url, [...request.headers].flat(), body, (status, fields, bytes) => {
      const headers = new Headers();
      for (let i = 0; i < fields.length; i += 2) headers.append(fields[i], fields[i + 1]);
      const none = request.method === "HEAD" || [204, 205, 304].includes(status); // Response refuses these a body
      resolve(new Response(none ? null : bytes, { status, headers }));
    });
  });
}

// read gives the beginning of a stream, at most so many bytes: one more than is allowed shows that there is too much.
async function read(stream, most) {
  const bytes = new Uint8Array(most);
  const reader = stream.getReader();
  for (let n = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, n);
    const fits = value.subarray(0, most - n);
    bytes.set(fits, n);
    n += fits.length;
    if (n === most) {
      reader.cancel().catch(() => {});
      return bytes;
    }
  }
}
