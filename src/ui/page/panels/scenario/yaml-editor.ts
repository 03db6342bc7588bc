/**
 * The editor of scenario files: CodeMirror with YAML, completion and hover texts from the scenario schema, and the
 * problems that the sandbox reports. Its code is loaded when it is first shown.
 */
import { autocompletion, completionKeymap, type Completion, type CompletionContext } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, bracketMatching, foldGutter, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { parseDocument } from 'yaml';
import schema from '../../../../../scenarios/scenario.schema.json';
import { descriptionAt, suggestionsAt, type Schema } from './completion.js';
import { correctionOf, indexOf, lineOf, type Problem } from './problems.js';

export interface YamlEditor {
  setText(text: string): void;
  setProblems(problems: readonly Problem[], warnings: readonly Problem[]): void;
  /** Puts the cursor at a line and column, both counted from 1, and scrolls there. */
  jump(line: number, column: number): void;
  destroy(): void;
}

export interface YamlEditorOptions {
  readonly text: string;
  readonly label: string;
  readonly describedBy: string;
  readonly onText: (text: string) => void;
}

/** @param parent gets a shadow root: there, the page's content security policy allows the style rules of CodeMirror */
export function createYamlEditor(parent: HTMLElement, options: YamlEditorOptions): YamlEditor {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  let quiet = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        history(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        search({ top: true }),
        indentUnit.of('  '),
        yaml(),
        syntaxHighlighting(colours),
        autocompletion({ override: [complete], icons: false }),
        hoverTooltip(describe),
        // Escape followed by Tab leaves the editor, as is usual in CodeMirror.
        keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': options.label, 'aria-description': options.describedBy }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !quiet) options.onText(state.doc.toString());
        }),
        theme,
      ],
    }),
  });
  return {
    setText(text) {
      if (text === view.state.doc.toString()) return;
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      quiet = false;
    },
    setProblems(problems, warnings) {
      const diagnostics = [...problems.map(marked('error')), ...warnings.map(marked('warning'))].flat();
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    jump(line, column) {
      const at = indexOf(view.state.doc.toString(), line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
    destroy() {
      view.destroy();
    },
  };

  function marked(severity: Diagnostic['severity']) {
    return (problem: Problem): Diagnostic[] => {
      const line = lineOf(problem);
      if (line === null || line > view.state.doc.lines) return [];
      const { from, to, text } = view.state.doc.line(line);
      const start = Math.min(to, from + Math.max(problem.column - 1, text.length - text.trimStart().length));
      const correction = correctionOf(problem);
      const actions = correction && [
        {
          name: correction.label,
          apply: () => {
            const next = correction.apply(view.state.doc.toString());
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
          },
        },
      ];
      return [{ from: start, to, severity, message: problem.message, ...(actions && { actions }) }];
    };
  }
}

/** Returns the text with the usual indentation and its comments; null if it is not YAML. */
export function formatted(text: string): string | null {
  const document = parseDocument(text);
  return document.errors.length > 0 ? null : document.toString({ lineWidth: 120, flowCollectionPadding: true });
}

function complete(context: CompletionContext) {
  const { from, suggestions } = suggestionsAt(context.state.doc.toString(), context.pos, schema as Schema);
  if (suggestions.length === 0 || (from === context.pos && !context.explicit)) return null;
  const options = suggestions.map(({ label, kind, description, required }): Completion => {
    const detail = required ? 'required' : undefined;
    return {
      label,
      info: description,
      boost: required ? 1 : 0,
      apply: kind === 'key' ? `${label}: ` : label,
      ...(detail && { detail }),
    };
  });
  return { from, options, validFor: /^[\w.$+-]*$/ };
}

function describe(view: EditorView, at: number) {
  const text = view.state.doc.toString();
  const description = descriptionAt(text, at, schema as Schema);
  if (description === null) return null;
  const word = view.state.wordAt(at);
  return {
    pos: word?.from ?? at,
    ...(word && { end: word.to }),
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'description';
      dom.textContent = description;
      return { dom };
    },
  };
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--wait)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--faint)', fontStyle: 'italic' },
]);

const tooltip = {
  backgroundColor: 'var(--raised)',
  color: 'var(--ink)',
  border: '1px solid var(--line)',
  borderRadius: '8px',
  boxShadow: 'var(--shadow-high)',
};

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', fontSize: 'var(--small)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { padding: '0.6rem 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--faint)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': tooltip,
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.2rem 0.6rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'inherit', opacity: '0.75' },
  '.cm-completionInfo, .description': { maxWidth: '24rem', padding: '0.5rem 0.75rem', fontFamily: 'var(--font)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', whiteSpace: 'pre-wrap', padding: '0.4rem 0.6rem' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)', borderRadius: '5px' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': { fontFamily: 'var(--font)', padding: '0.5rem' },
  '.cm-textfield': { backgroundColor: 'var(--ground)', border: '1px solid var(--line-strong)', borderRadius: '5px' },
  '.cm-button': { background: 'var(--sunken)', border: '1px solid var(--line-strong)', borderRadius: '5px' },
});
