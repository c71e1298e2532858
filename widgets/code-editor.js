// CodeMirror in the place of a text area. A file of its own, which a page loads when it is used.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

/**
 * Put an editor in the place of a text area, with its text, selection and focus.
 *
 * @param {HTMLTextAreaElement} textarea
 * @param {(text: string) => void} onChange
 * @returns {{ replace(text: string): void, focus(): void, remove(): void }}
 */
function takePlace(textarea, onChange) {
  const focused = document.activeElement === textarea;
  const { selectionStart: anchor, selectionEnd: head } = textarea;
  const view = new EditorView({
    state: EditorState.create({
      doc: textarea.value,
      selection: { anchor, head },
      extensions: [...extensions(textarea), EditorView.updateListener.of(tell(onChange))],
    }),
  });
  textarea.after(view.dom);
  textarea.hidden = true;
  if (focused) view.focus();
  return {
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    remove: () => {
      view.destroy();
      textarea.hidden = false;
    },
  };
}

/** @param {HTMLTextAreaElement} textarea */
function extensions(textarea) {
  const attributes = {
    "aria-label": textarea.labels?.[0]?.textContent ?? "",
    "aria-describedby": textarea.getAttribute("aria-describedby") ?? "",
    tabindex: "0",
  };
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    indentOnInput(),
    bracketMatching(),
    indentUnit.of("    "),
    python(),
    syntaxHighlighting(classHighlighter),
    keymap.of([leaveByTab, indentWithTab, ...historyKeymap, ...defaultKeymap]),
    // However long after Escape: the next Tab leaves, until the reader comes back.
    EditorView.domEventHandlers({ blur: (_event, view) => view.setTabFocusMode(false) }),
    EditorView.contentAttributes.of(attributes),
  ];
}

/** @type {import("@codemirror/view").KeyBinding} */
const leaveByTab = {
  key: "Escape",
  run: (view) => {
    view.setTabFocusMode(true);
    return false;
  },
};

/** @param {(text: string) => void} onChange */
function tell(onChange) {
  return (/** @type {import("@codemirror/view").ViewUpdate} */ update) => {
    if (update.docChanged) onChange(update.state.doc.toString());
  };
}

export const codeEditor = { takePlace };
// Run as a script, it can hand itself over by a global only.
Object.assign(globalThis, { codeEditor });
