"use strict";
// The program as a worker: the same file, which serves requests where there is no page. The page ends it to cancel.
importScripts("wasm_exec.js");
const go = new Go();
fetch("app.wasm", { credentials: "same-origin" })
  .then((r) => r.arrayBuffer()) // some hosts do not know the type that streaming wants
  .then((bytes) => WebAssembly.instantiate(bytes, go.importObject))
  .then((r) => go.run(r.instance))
  .catch((e) => { setTimeout(() => { throw e; }); }); // the page hears of an error, not of a rejection
