// Starts a Go program and hands requests to it. wasm_exec.js and runtime.mjs are generated (make edge); their own
// worker.mjs starts a program for each request, which would forget everything between two of them.
import "./wasm_exec.js";
import { createRuntimeContext, loadModule } from "./runtime.mjs";

// boot gives a program that is ready to serve.
export async function boot(env, ctx) {
  const module = await loadModule();
  const go = new Go();
  const host = { binding: {}, dead: false, served: 0, pending: new Map() };
  await new Promise((ready) => {
    const end = () => {
      host.dead = true;
      for (const sink of host.pending.values()) sink.cut();
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
  const { binding, pending } = host;
  const body = request.body === null ? null : await read(request.body, binding.maxBody + 1);
  const id = host.served++;
  return new Promise((resolve) => {
    const sink = new Sink(request.method, resolve, () => binding.gone(id), () => pending.delete(id));
    pending.set(id, sink);
    if (host.dead) sink.cut();
    else binding.handle(id, request.method, request.url, [...request.headers].flat(), body, sink);
  });
}

// mostWaiting is how many bytes of a stream may wait for a client before it is cut off.
const mostWaiting = 1 << 20;

// Sink is what the program puts an answer into.
class Sink {
  constructor(method, resolve, gone, over) {
    Object.assign(this, { method, resolve, gone, over, stream: null, queue: [], waiting: 0, wanted: false, last: null });
  }

  // full sends the whole of an answer.
  full(status, fields, bytes) {
    this.over();
    const none = this.method === "HEAD" || [204, 205, 304].includes(status); // Response refuses these a body
    this.resolve(new Response(none ? null : bytes, { status, headers: headers(fields) }));
  }

  // head begins a stream. Its pieces wait here, not in the stream, which would drop them when it is cut.
  head(status, fields) {
    const source = {
      start: (stream) => {
        this.stream = stream;
      },
      pull: () => {
        this.wanted = true;
        this.feed();
      },
      cancel: () => {
        this.over();
        this.last = () => {};
        this.gone();
      },
    };
    const body = new ReadableStream(source, { highWaterMark: 0 }); // pull when somebody reads, not before
    this.resolve(new Response(body, { status, headers: headers(fields) }));
  }

  // feed hands on what waits, if it is wanted, and in the end the end.
  feed() {
    if (!this.wanted) return;
    if (this.queue.length > 0) {
      const bytes = this.queue.shift();
      this.waiting -= bytes.length;
      this.wanted = false;
      this.stream.enqueue(bytes);
    } else if (this.last !== null) {
      this.last();
    }
  }

  // chunk takes a piece of a stream, and tells whether more may come.
  chunk(bytes) {
    if (this.last !== null) return false;
    this.queue.push(bytes);
    this.waiting += bytes.length;
    this.feed();
    if (this.waiting <= mostWaiting) return true;
    this.queue = [];
    this.cut();
    return false;
  }

  // end ends a stream.
  end() {
    this.finish(() => this.stream.close());
  }

  // cut ends the connection. A Worker cannot; but it can promise a byte that never comes, and break a stream off.
  cut() {
    if (this.stream !== null) {
      // Not in the turn of the last piece: the platform would not send that either.
      this.finish(() => setTimeout(() => this.stream.error(new Error("cut"))));
      return;
    }
    this.over();
    const { readable, writable } = new FixedLengthStream(1);
    writable.abort(new Error("cut")).catch(() => {});
    this.resolve(new Response(readable));
  }

  finish(last) {
    this.over();
    this.last ??= last;
    this.feed();
  }
}

function headers(fields) {
  const all = new Headers();
  for (let i = 0; i < fields.length; i += 2) all.append(fields[i], fields[i + 1]);
  return all;
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
