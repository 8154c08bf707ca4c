// Runs Python programs of learners: the same script as a Web Worker and, natively, as a child process of Node. It loads
// MicroPython, hands each batch of cases to harness.py and answers case by case, so that whoever waits knows in which
// one a program hangs; then this worker is ended from outside and another one is started.

const inNode = typeof process === "object" && !globalThis.WorkerGlobalScope;

// A program may fill 32 MB. Without a bound the engine goes on to 2 GB, and needs minutes for it.
const maxPages = 512;
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength / 65536 + pages > maxPages) throw new RangeError("a program may use 32 MB");
  return grow.call(this, pages);
};

// load starts the engine. A WebAssembly module that was compiled before is used as it is.
async function load(glue, harness, module) {
  if (module) {
    globalThis.fetch = () => undefined;
    WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  }
  const { loadMicroPython } = await import(glue);
  const nowhere = () => {};
  console.error = console.warn = console.log = nowhere;
  const engine = await loadMicroPython({ stdout: nowhere, stderr: nowhere, heapsize: 4 << 20, pystack: 16 << 10 });
  engine.runPython(harness);
  return engine;
}

// What stays for a program that has found a way to JavaScript, beside what the language itself has: what the engine uses.
// All else leads out of here, or might in some browser: network, storage, files, other workers, the page.
const kept = new Set(("AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError " +
  "FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Iterator JSON Map Math NaN Number " +
  "Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array " +
  "Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI " +
  "encodeURIComponent eval globalThis isFinite isNaN parseFloat parseInt undefined " +
  "TextDecoder TextEncoder console onmessage performance queueMicrotask Module proxy_js_existing proxy_js_map " +
  "proxy_js_ref proxy_js_ref_map proxy_js_ref_next pyProxyFinalizationRegistry").split(" "));

// shut takes the rest away. The page's policy, and Node's permissions, forbid it once more.
function shut() {
  for (let from = globalThis; from && from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      if (kept.has(name)) continue;
      try {
        delete from[name];
        if (name in from) Object.defineProperty(from, name, { value: undefined });
      } catch {
        // what cannot be taken away is left to the policy
      }
    }
  }
}

// run answers a batch: a line for each case. A case that ends in a limit is the last one.
function run(engine, text, answer) {
  const count = engine.globals.get("start")(text);
  const runCase = engine.globals.get("run_case");
  for (let i = 0; i < count; i++) {
    const line = runCase(i);
    answer(line);
    if (line.includes('"limit": "')) return; // quotes inside of texts are escaped
  }
}

async function main() {
  if (!inNode) {
    const post = globalThis.postMessage.bind(globalThis);
    globalThis.onmessage = async ({ data }) => {
      const engine = await load(data.glue, data.harness, data.module);
      globalThis.onmessage = ({ data }) => run(engine, data, post);
      shut();
      post("ready");
    };
    return;
  }
  const [{ readFileSync, writeSync }, { createInterface }] = await Promise.all([import("node:fs"), import("node:readline")]);
  const [glue, harness] = process.argv.slice(2);
  const lines = createInterface({ input: process.stdin });
  const engine = await load(glue, readFileSync(harness, "utf8"));
  shut();
  const write = (text) => writeSync(1, text + "\n");
  write("ready");
  lines.on("line", (text) => run(engine, text, write));
}

main();
