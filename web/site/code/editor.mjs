// The editor of code steps: CodeMirror with Python, in a shadow root, as the page's policy forbids style elements. The
// program creates it and is told of what is typed; colours come from the page's custom properties, which reach inside.
import { EditorState, StateEffect, StateField, Compartment } from "@codemirror/state";
import { EditorView, Decoration, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { HighlightStyle, LanguageSupport, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { pythonLanguage } from "@codemirror/lang-python";
import { tags } from "@lezer/highlight";

const colour = (name) => ({ color: `var(--code-${name})` });
const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], ...colour("keyword") },
  { tag: [tags.string, tags.special(tags.string)], ...colour("string") },
  { tag: [tags.number, tags.bool, tags.null], ...colour("number") },
  { tag: [tags.comment], ...colour("comment"), fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], ...colour("name"), fontWeight: "600" },
]);

const look = EditorView.theme({
  "&": { color: "var(--code-ink)", backgroundColor: "var(--code-paper)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" }, // the place around it shows the focus
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.55", maxHeight: "var(--code-most)" },
  ".cm-content, .cm-gutter": { minHeight: "var(--code-least)" },
  ".cm-content": { caretColor: "var(--code-ink)", padding: "8px 0" },
  ".cm-gutters": { color: "var(--code-gutter)", backgroundColor: "var(--code-sunken)", borderRight: "1px solid var(--code-rule)" },
  ".cm-activeLine": { backgroundColor: "var(--code-active)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--code-active)", color: "var(--code-ink)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--code-match)", outline: "1px solid var(--code-edge)" },
  ".cm-content ::selection": { backgroundColor: "var(--code-selected)", color: "var(--code-ink)" },
  ".cm-problem": { backgroundColor: "var(--code-problem)", boxShadow: "inset 4px 0 0 var(--code-problem-edge)", textDecoration: "underline wavy var(--code-problem-edge)", textUnderlineOffset: "3px" },
});

// The lines with problems. They move with the text, until the program says others.
const setMarks = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(now, transaction) {
    now = now.map(transaction.changes);
    for (const e of transaction.effects) {
      if (!e.is(setMarks)) continue;
      const doc = transaction.state.doc;
      const lines = [...new Set(e.value)].filter((n) => n >= 1 && n <= doc.lines).sort((a, b) => a - b);
      now = Decoration.set(lines.map((n) => Decoration.line({ class: "cm-problem" }).range(doc.line(n).from)));
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// create puts an editor into an element. told hears of each change, run of Ctrl+Enter or Cmd+Enter. Tab is left alone: it
// moves the focus, as everywhere on the page.
function create(parent, text, told, run) {
  const described = new Compartment();
  const listener = EditorView.updateListener.of((u) => { if (u.docChanged) told(); });
  const start = (text, attributes) => EditorState.create({
    doc: text,
    extensions: [
      keymap.of([{ key: "Mod-Enter", run: () => { run(); return true; } }]),
      history(), lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), bracketMatching(), indentOnInput(),
      indentUnit.of("    "), new LanguageSupport(pythonLanguage), syntaxHighlighting(highlight), EditorView.lineWrapping,
      look, marks, listener, described.of(attributes), keymap.of([...defaultKeymap, ...historyKeymap]),
    ],
  });
  const describe = (label, hint, readOnly) => [
    EditorView.contentAttributes.of({ "aria-label": label, "aria-description": hint, translate: "no" }),
    EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly),
  ];
  const view = new EditorView({ parent, root: parent, state: start(text, []) });
  let attributes = [];
  return {
    text: () => view.state.doc.toString(),
    // A new text of the same step can be undone, apart from what was typed just before; that of another step begins anew.
    set(text, anew) {
      if (anew) return view.setState(start(text, attributes));
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: isolateHistory.of("full") });
    },
    describe(label, hint, readOnly) {
      attributes = describe(label, hint, readOnly);
      view.dispatch({ effects: described.reconfigure(attributes) });
    },
    mark: (lines) => view.dispatch({ effects: setMarks.of(lines) }),
    focus: () => view.focus(),
    cursor(at) {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
    end: () => view.destroy(),
  };
}

window.retrylabEditor = create;
