# The Worker on plain workerd, without an account, in the folder that make edge writes:
#   workerd serve build/edge/config.capnp
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "edge", worker = .edge),
    (name = "disk", disk = (path = "objects", writable = true)),
    (name = "assets", disk = (path = "public")),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "edge")],
);

const edge :Workerd.Worker = (
  modules = [
    (name = "front.mjs", esModule = embed "front.mjs"),  # the first one is the entry
    (name = "lab.mjs", esModule = embed "lab.mjs"),
    (name = "gohost.mjs", esModule = embed "gohost.mjs"),
    (name = "wasm_exec.js", esModule = embed "wasm_exec.js"),
    (name = "runtime.mjs", esModule = embed "runtime.mjs"),
    (name = "app.wasm", wasm = embed "app.wasm"),
  ],
  compatibilityDate = "2026-04-01",
  bindings = [
    (name = "LAB", durableObjectNamespace = "Lab"),
    (name = "ASSETS", service = "assets"),
    (name = "LABS", text = "1000"),
    (name = "LABS_PER_ADDRESS", text = "20"),
  ],
  # With SQLite from the start: a class cannot change over to it later.
  durableObjectNamespaces = [(className = "Lab", uniqueKey = "retry-lab-v1", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
);
