"use strict";
// The shell around the program. It runs in the head, before the first paint: it sets language and theme, starts the
// download, shows the step's text while that lasts, starts the program, and says what to do when anything fails.
(() => {
  const root = document.documentElement;
  const build = root.dataset.build; // "b/<hash>", relative to the page
  const base = new URL(".", document.baseURI).pathname; // "/" or "/retry-lab/"
  const wasmBytes = Number(root.dataset.wasmBytes);
  const embed = "embed" in root.dataset; // the page that other sites may frame
  const byId = (id) => document.getElementById(id);

  // ---- settings ----------------------------------------------------------------------------------------------------

  // A browser that forbids storage throws when it is read, which would end the program: it gets one that keeps nothing.
  // So does a framed page, which keeps nothing by design and does not complain.
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      if (window[name] && !embed) continue;
    } catch { /* as below */ }
    const refuse = () => { if (!embed) throw new DOMException("storage is switched off", "SecurityError"); };
    Object.defineProperty(window, name, { value: { length: 0, key: () => null, getItem: () => null, setItem: refuse, removeItem() {}, clear() {} } });
  }
  const saved = (name) => localStorage.getItem("retrylab." + name) || "";
  const LANGS = ["en", "ko", "ja"];
  const known = (tag) => LANGS.find((l) => l === String(tag || "").toLowerCase().split("-")[0]);
  const parameter = (text, name) => new URLSearchParams(text.slice(text.indexOf("?") + 1 || text.length)).get(name);

  // A link decides, then what was chosen before, then the browser.
  const chooseLang = () =>
    known(parameter(location.hash, "lang")) || known(parameter(location.search, "lang")) || known(saved("lang")) ||
    (navigator.languages || []).map(known).find(Boolean) || "en";

  const lang = chooseLang();
  root.lang = lang;
  const theme = saved("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme; // else the system decides, in CSS
  const contrast = saved("contrast");
  if (contrast === "more" || contrast === "normal") root.dataset.contrast = contrast;

  const TEXT = {
    en: {
      loading: "Loading the program", starting: "Starting the program", of: (a, b) => `${a} of ${b} MB`,
      noWasm: "This browser has no WebAssembly, which Retry Lab needs. Any current browser has it; a setting or a policy may have switched it off.",
      read: "Read the lessons as text", failed: "The program could not be loaded:", retry: "Try again",
      stopped: "The program has stopped", keep: "Your progress is kept in this browser. The report helps to find the fault: it holds what is shown below, and is sent nowhere.",
      report: "Crash report", copy: "Copy report", copied: "Copied", restart: "Restart here", course: "Restart at the course",
      update: "A new version is ready.", reload: "Reload",
      framed: "Another site shows this page inside of its own. It is used by itself only.", own: "Open it by itself",
    },
    ko: {
      loading: "프로그램을 내려받고 있습니다", starting: "프로그램을 시작하고 있습니다", of: (a, b) => `${b} MB 중 ${a} MB`,
      noWasm: "이 브라우저에서는 Retry Lab에 필요한 WebAssembly를 쓸 수 없습니다. 최신 브라우저는 모두 지원하며, 설정이나 정책으로 꺼져 있을 수도 있습니다.",
      read: "레슨을 글로 읽기", failed: "프로그램을 내려받지 못했습니다:", retry: "다시 시도",
      stopped: "프로그램이 멈췄습니다", keep: "진행 상황은 이 브라우저에 남아 있습니다. 아래 보고서는 원인을 찾는 데 도움이 되며, 어디로도 전송되지 않습니다.",
      report: "오류 보고서", copy: "보고서 복사", copied: "복사했습니다", restart: "여기서 다시 시작", course: "과정 처음으로",
      update: "새 버전이 준비되었습니다.", reload: "새로 고침",
      framed: "다른 사이트가 이 페이지를 자기 페이지 안에 표시하고 있습니다. 이 페이지는 단독으로만 쓸 수 있습니다.", own: "이 페이지만 열기",
    },
    ja: {
      loading: "プログラムを読み込んでいます", starting: "プログラムを起動しています", of: (a, b) => `${b} MB 中 ${a} MB`,
      noWasm: "このブラウザーでは、Retry Lab に必要な WebAssembly を使えません。現行のブラウザーはすべて対応していますが、設定やポリシーで無効になっていることもあります。",
      read: "レッスンを文章で読む", failed: "プログラムを読み込めませんでした:", retry: "もう一度試す",
      stopped: "プログラムが停止しました", keep: "進み具合はこのブラウザーに残っています。下のレポートは原因を調べるためのもので、どこにも送信されません。",
      report: "クラッシュレポート", copy: "レポートをコピー", copied: "コピーしました", restart: "ここから再開", course: "コースの最初から",
      update: "新しいバージョンの準備ができました。", reload: "再読み込み",
      framed: "ほかのサイトが、このページを自分のページの中に表示しています。このページは単独でだけ使えます。", own: "このページだけを開く",
    },
  };
  const text = TEXT[lang];

  // ---- addresses ---------------------------------------------------------------------------------------------------

  // go-app ends the program on an address that Go's url.Parse rejects, such as #%zz.
  const isGoodURL = () => {
    try {
      decodeURIComponent(location.pathname + location.search + location.hash);
      return true;
    } catch {
      return false;
    }
  };
  const home = embed ? location.pathname : base;
  const guard = () => { if (!isGoodURL()) history.replaceState(null, "", home); };
  guard();
  // Capturing: this runs before go-app's own handler.
  addEventListener("popstate", (e) => { if (!isGoodURL()) { e.stopImmediatePropagation(); guard(); } }, true);

  const goappEnv = { GOAPP_ROOT_PREFIX: base === "/" ? "/" : base.slice(0, -1), GOAPP_STATIC_RESOURCES_URL: base.slice(0, -1), GOAPP_INTERNAL_URLS: "null" };
  window.goappGetenv = (k) => goappEnv[k];

  // ---- the step's text, until the program draws the page -----------------------------------------------------------

  const fragmentName = () => {
    const route = /^#\/lesson\/([a-z0-9-]+)\/([a-z0-9-]+)/.exec(location.hash);
    const have = (root.dataset.fragments || "").split(" ");
    return [route && route[1] + "/" + route[2], "course"].find((n) => n && have.includes(n));
  };
  const loadFragment = async () => {
    const name = fragmentName();
    if (!name) return "";
    const r = await fetch(`${build}/fragments/${name}.${lang}.html`, { credentials: "same-origin", priority: "high" });
    return r.ok ? r.text() : "";
  };
  const showFragment = async () => {
    const html = await loadFragment().catch(() => "");
    await parsed;
    const box = byId("boot-text");
    if (!box || !html) return; // the program was quicker, or there is no text
    box.innerHTML = html;
    for (const control of box.querySelectorAll("button, input, select, textarea")) control.disabled = true; // not yet
  };

  // ---- the program -------------------------------------------------------------------------------------------------

  const megabytes = (n) => (n / 1e6).toFixed(1);
  let loaded = 0;
  const showBytes = () => {
    const bar = byId("boot-progress");
    if (!bar || !loaded) return; // the program has replaced it; or nothing is counted
    bar.value = Math.min(loaded, wasmBytes);
    byId("boot-bytes").textContent = text.of(megabytes(loaded), megabytes(wasmBytes));
  };

  // compile has the program downloaded and compiled by a worker, so that the page is free meanwhile.
  const compile = () => new Promise((done, failed) => {
    const local = navigator.serviceWorker && navigator.serviceWorker.controller;
    const worker = new Worker(`${build}/compile.js`, { name: local ? "local" : "" });
    worker.onmessage = ({ data }) => {
      if (data.loaded) return void (loaded = data.loaded);
      worker.terminate();
      if (data.module) done(data.module);
      else failed(new Error(data.error));
    };
    worker.onerror = () => failed(new Error("compile.js"));
  });

  // What the program asks for first is fetched while it is still on its way: it takes the responses from here.
  const early = window.retrylabEarly = {};
  const fetchEarly = (name) => {
    const response = fetch(`${build}/${name}`, { credentials: "same-origin" });
    response.catch(() => {}); // the program reports it
    early[`${build}/${name}`] = response;
    return response;
  };
  const loadEarly = async () => {
    const index = (await fetchEarly("lessons/index.json")).clone(); // the program reads the other one
    const route = /^#\/lesson\/([a-z0-9-]+)/.exec(location.hash);
    const lesson = route && (await index.json()).lessons.find((l) => l.id === route[1]);
    if (lesson) fetchEarly("lessons/" + lesson.file);
  };

  // What the program says, in all languages.
  const loadMessages = async () => {
    const response = await fetch(build + "/messages.txt", { credentials: "same-origin" });
    if (!response.ok) throw new Error(`messages.txt: HTTP ${response.status}`);
    return response.text();
  };

  // The tail of what the program prints: a panic's message and trace are in it.
  let output = "";
  const keepOutput = () => {
    const write = globalThis.fs.writeSync;
    const decoder = new TextDecoder();
    globalThis.fs.writeSync = function (fd, bytes) {
      output = (output + decoder.decode(bytes)).slice(-8000);
      return write.call(this, fd, bytes);
    };
  };

  const start = async (module) => {
    if (typeof Go === "undefined") throw new Error("wasm_exec.js is missing");
    keepOutput();
    const go = new Go();
    const instance = await WebAssembly.instantiate(module, go.importObject);
    root.dataset.started = "1";
    go.run(instance).then(() => crash("the program ended"), crash); // any Go panic ends here
  };

  const fail = (why) => {
    const box = byId("boot-fail");
    if (!box) return crash(why);
    byId("boot-bar").hidden = true;
    byId("boot-why").textContent = why;
    byId("boot-retry").textContent = text.retry;
    byId("boot-retry").onclick = () => window.retrylabLoadAnew();
    box.hidden = false;
  };

  // What can be read without the program: the step's text behind this message, and all texts on a page of their own.
  const unable = () => {
    fail(text.noWasm);
    byId("boot-retry").before(element("a", { className: "btn", href: `${build}/read.${lang}.html`, textContent: text.read }), " ");
  };

  // On a host that sends no headers nothing else forbids another site to frame the page and to steal clicks.
  const framed = () => {
    fail(text.framed);
    byId("boot-retry").replaceWith(element("a", { className: "btn btn--primary", href: location.href, target: "_blank", rel: "noopener", textContent: text.own }));
  };

  // ---- when it stops -----------------------------------------------------------------------------------------------

  const element = (tag, props, ...children) => {
    const e = Object.assign(document.createElement(tag), props);
    e.append(...children);
    return e;
  };
  // The program leaves in window.retrylabReplay a link that leads back to what was shown, and may leave details (scenario,
  // seed, inputs) in window.retrylabCrash: a text, or a value to write as JSON.
  const details = () => {
    const d = window.retrylabCrash;
    try {
      return d === undefined ? "" : typeof d === "string" ? d : JSON.stringify(d, null, 1);
    } catch (e) {
      return "not readable: " + e;
    }
  };
  const report = (why) => [
    "Retry Lab crash report", "build: " + build, "time: " + new Date().toISOString(), "page: " + location.href,
    "browser: " + navigator.userAgent, "language: " + root.lang,
    "reason: " + (/^(panic|fatal error): .*/m.exec(output) || [why])[0],
    "replay: " + (window.retrylabReplay || location.href), "", details(), "", output.trim(), "",
  ].join("\n");

  const copy = async (area, button) => {
    try {
      await navigator.clipboard.writeText(area.value);
    } catch { // no permission, or not a secure address
      area.select();
      document.execCommand("copy");
    }
    button.textContent = text.copied;
  };

  // A newer build may be without the fault.
  const restart = () => (waiting ? window.retrylabApplyUpdate() : location.reload());

  function crash(why) {
    const box = byId("crash");
    if (!box.hidden) return;
    const heading = element("h2", { textContent: text.stopped, tabIndex: -1 });
    const area = element("textarea", { readOnly: true, value: report(String(why)), spellcheck: false });
    area.setAttribute("aria-label", text.report);
    const button = (className, label, onclick) => element("button", { type: "button", className, textContent: label, onclick });
    const copyButton = button("btn", text.copy, () => copy(area, copyButton));
    const course = button("btn", text.course, () => { history.replaceState(null, "", base); location.reload(); });
    box.replaceChildren(heading, embed ? "" : element("p", { textContent: text.keep }), area, element("div", { className: "row" },
      button("btn btn--primary", text.restart, restart), copyButton, embed ? "" : course));
    box.hidden = false;
    document.body.firstElementChild.inert = true; // it looks alive and is not
    root.dataset.crashed = "1";
    heading.focus();
  }

  // ---- what was typed, when a newer build takes over ---------------------------------------------------------------

  // Runs and progress are kept by the program. What stands in a field and was not used yet is kept for the moment of the
  // change alone, by the places of the fields on the page.
  const FIELDS = "retrylab.fields";
  const fields = () => [...document.body.firstElementChild.querySelectorAll(":is(input[type=text], textarea, select):not([readonly])")];
  const keepFields = () => {
    try {
      sessionStorage.setItem(FIELDS, JSON.stringify({ hash: location.hash, values: fields().map((f) => f.value) }));
    } catch { /* nothing is kept here */ }
  };
  const restoreFields = () => {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(FIELDS));
      sessionStorage.removeItem(FIELDS);
    } catch { /* as if there were none */ }
    const now = kept && kept.hash === location.hash ? fields() : [];
    if (!now.length || now.length !== kept.values.length) return; // the newer page has other fields
    now.forEach((field, i) => {
      if (field.value === kept.values[i]) return;
      field.value = kept.values[i];
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    });
  };
  const onceReady = new MutationObserver(() => { onceReady.disconnect(); restoreFields(); });
  onceReady.observe(root, { attributeFilter: ["data-ready"] });

  // ---- offline and updates -----------------------------------------------------------------------------------------

  let waiting = null; // a worker that holds a newer build, complete
  // A file that came broken may have been kept for offline use: what is kept is thrown away before the page loads anew.
  window.retrylabLoadAnew = async () => {
    if (!embed) try {
      const registration = await navigator.serviceWorker.getRegistration();
      const kept = (await caches.keys()).filter((n) => n.startsWith("retrylab " + registration.scope + " "));
      await Promise.all(kept.map((n) => caches.delete(n)));
      await registration.unregister();
    } catch { /* no worker, or no caches: nothing is kept */ }
    location.reload();
  };
  // What code steps need is kept once it was wanted; on a first visit that waits for the worker.
  window.retrylabKeepLate = () => {
    if (!embed && navigator.serviceWorker) navigator.serviceWorker.ready.then((r) => r.active.postMessage("late"));
  };
  window.retrylabApplyUpdate = () => { if (waiting) waiting.postMessage("skip"); };
  const offer = (worker) => {
    waiting = worker;
    root.dataset.update = "ready";
    const box = byId("update");
    box.replaceChildren(text.update, element("button", { type: "button", className: "btn", textContent: text.reload, onclick: window.retrylabApplyUpdate }));
    box.hidden = false;
  };
  const watch = (registration) => {
    const container = navigator.serviceWorker;
    if (registration.waiting && container.controller) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker.addEventListener("statechange", () => {
        if (worker.state === "installed" && container.controller) offer(worker);
      });
    });
    addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") registration.update().catch(() => {}); // offline: next time
    });
  };
  const keepOffline = () => {
    const container = navigator.serviceWorker;
    if (!container) return; // not a secure address: the page works, but only online
    let controlled = Boolean(container.controller);
    container.addEventListener("controllerchange", () => {
      if (controlled) { keepFields(); location.reload(); } // a newer build took over, in all pages at once
      controlled = true; // the first worker takes over this very build: nothing to do
    });
    container.register("sw.js", { updateViaCache: "none" }).then(watch, (e) => console.warn("works online only: " + e));
  };

  // A first visit's worker downloads and keeps everything: that waits until the page can be used, or has stopped. Later there is nothing
  // to keep, but maybe a newer build to hear of, which may be without the fault that stops this one.
  const whenFree = (f) => {
    if (navigator.serviceWorker && navigator.serviceWorker.controller) return f();
    const ready = () => {
      if (root.dataset.ready !== "1" && root.dataset.crashed !== "1") return;
      observer.disconnect();
      setTimeout(f, 500);
    };
    const observer = new MutationObserver(ready);
    observer.observe(root, { attributeFilter: ["data-ready", "data-crashed"] });
    ready();
  };

  // ---- in order ----------------------------------------------------------------------------------------------------

  const hasWasm = typeof WebAssembly === "object";
  const module = hasWasm ? compile() : null;
  const messages = loadMessages();
  if (!root.dataset.watch) loadEarly().catch(() => {}); // else the list is the watched folder's
  const parsed = new Promise((done) => addEventListener("DOMContentLoaded", done));
  showFragment();
  addEventListener("hashchange", () => { if (!root.dataset.started) showFragment(); }); // links work already
  messages.catch(() => {});
  if (module) module.catch(() => {}); // reported below, once the page can show it

  parsed.then(async () => { // wasm_exec.js has run by now
    byId("boot-status").textContent = text.loading;
    if (window.top !== window.self && !embed) return framed();
    if (!hasWasm) return unable();
    const ticker = setInterval(showBytes, 100);
    try {
      const compiled = await module;
      window.retrylabMessages = await messages;
      byId("boot-status").textContent = text.starting;
      await start(compiled);
      if (!embed && !root.dataset.watch) whenFree(keepOffline); // while somebody writes lessons, nothing old may be kept
    } catch (e) {
      fail(`${text.failed} ${e && e.message ? e.message : e}`);
    } finally {
      clearInterval(ticker);
    }
  });
})();
