"use strict";
// What the program does to the page, done here: it writes its changes into one text (view.Changes), as a call for each would
// cost more than the change itself.
window.retrylabPage = (() => {
  const range = document.createRange();
  const nodeAt = (page, path) => path === "" ? page : path.split(".").reduce((n, i) => n.childNodes[i], page);

  // made returns elements and texts that fit into a parent: rows into a table, shapes into a drawing.
  const made = (parent, html) => {
    range.selectNodeContents(parent);
    return range.createContextualFragment(html);
  };

  // Of an input, what a person sees is not its attribute any more once it was changed.
  const isSwitch = (name) => name === "checked" || name === "selected";
  const set = (n, name, value) => {
    if (name === "value") return void (n.value = value);
    n.setAttribute(name, value);
    if (isSwitch(name)) n[name] = true;
  };
  const drop = (n, name) => {
    if (name === "value") return void (n.value = "");
    n.removeAttribute(name);
    if (isSwitch(name)) n[name] = false;
  };

  const change = (page, [kind, path, first, second]) => {
    const n = nodeAt(page, path);
    const isText = n.nodeType === Node.TEXT_NODE;
    switch (kind) {
      case "set": set(n, first, second); break;
      case "drop": drop(n, first); break;
      case "text": if (!isText) throw new Error("no text"); n.data = first; break;
      case "replace": n.replaceWith(made(n.parentNode, first)); break;
      case "append": if (isText) throw new Error("a text"); n.append(made(n, first)); break;
      case "insert": n.parentNode.insertBefore(made(n.parentNode, first), n); break;
      case "remove": n.remove(); break;
    }
  };

  return {
    // patch makes changes, and reports whether it could: something else, as a translator of pages, may have been there.
    patch(page, changes) {
      try {
        for (const c of changes.split("\x1e")) change(page, c.split("\x1f"));
        return true;
      } catch {
        return false;
      }
    },
    // path returns the way from the page to a node in it.
    path(page, node) {
      const steps = [];
      for (; node !== page; node = node.parentNode) steps.unshift([].indexOf.call(node.parentNode.childNodes, node));
      return steps.join(".");
    },
  };
})();
