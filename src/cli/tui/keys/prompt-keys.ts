// Typed text: what it becomes when Enter ends it, and what stays of it when Esc does.
import { never } from '../../../base/never.ts';
import { digestOf } from '../../../domain/question/picture.ts';
import { type Editor, edit, insert, textOf } from '../model/editor.ts';
import { and, type Outcome, only } from '../model/effect.ts';
import { withFilter } from '../model/filter.ts';
import { type Model, type Prompt, withUi } from '../model/model.ts';
import { findAsk } from '../model/rows.ts';
import { shownSessions } from '../shown.ts';
import { toast } from './everywhere.ts';
import { find } from './find-keys.ts';

export const promptHelp = [
  { show: 'Enter', words: 'send, or done' },
  { show: 'Ctrl-J', words: 'a new line (also Alt-Enter)' },
  { show: 'Esc', words: 'close; an unsent message is kept, a filter is as it was' },
  { show: '← → Home End', words: 'move; ↑ ↓ between lines' },
  { show: 'Ctrl-U K W', words: 'delete to the start, to the end, a word' },
];

/** As with a permission: words that were meant for elsewhere, and their Enter, answer nothing. */
const notYet = 'Ctrl-Y gives this answer to Claude, Esc leaves it.';

function withEditor(model: Model, prompt: Prompt, editor: Editor): Model {
  const next = withUi(model, { prompt: { ...prompt, editor } });
  return prompt.name === 'filter' ? onFirst(withFilter(next, prompt.pane, textOf(editor))) : next;
}

/** What is looked for is looked at: the cursor goes to a session that is still shown. */
function onFirst(model: Model): Model {
  const shown = shownSessions(model);
  const [first] = shown;
  if (!first || shown.some(({ session }) => session.key === model.ui.session)) return model;
  return withUi(model, { session: first.session.key, transcriptTop: undefined });
}

export function promptKey(model: Model, prompt: Prompt, key: string, text: string): Outcome {
  switch (key) {
    case 'esc':
      return leave(model, prompt);
    case 'ctrl+c':
      return and(model, { type: 'quit' });
    case 'ctrl+z':
      return and(model, { type: 'stop' });
    case 'enter':
      return prompt.name === 'answer' ? only(toast(model, notYet)) : submit(model, prompt);
    case 'ctrl+y':
      return prompt.name === 'answer' ? submit(model, prompt) : only(model);
    case 'ctrl+j':
      return prompt.name === 'message'
        ? only(withEditor(model, prompt, insert(prompt.editor, '\n')))
        : only(model);
    default: {
      if (prompt.name === 'key') return only(model);
      const edited = edit(prompt.editor, key) ?? (text === '' ? undefined : insert(prompt.editor, text));
      return only(edited ? withEditor(model, prompt, edited) : model);
    }
  }
}

export const promptPaste = (model: Model, prompt: Prompt, text: string): Model =>
  prompt.name === 'key'
    ? model
    : withEditor(
        model,
        prompt,
        insert(prompt.editor, prompt.name === 'message' ? text : text.replace(/\s+/g, ' ')),
      );

/** A decision that nobody proves is none. */
function leave(model: Model, prompt: Prompt): Outcome {
  const closed = closePrompt(model, prompt);
  return prompt.name === 'code' || prompt.name === 'key'
    ? and(closed, { type: 'proof', id: prompt.id })
    : only(closed);
}

export function closePrompt(model: Model, prompt: Prompt): Model {
  const closed = withUi(model, { prompt: undefined });
  if (prompt.name === 'filter') return withFilter(closed, prompt.pane, prompt.before);
  if (prompt.name !== 'message') return closed;
  const drafts = new Map(model.ui.drafts);
  if (textOf(prompt.editor) === '') drafts.delete(prompt.session);
  else drafts.set(prompt.session, prompt.editor);
  return withUi(closed, { drafts });
}

function submit(model: Model, prompt: Prompt): Outcome {
  const text = textOf(prompt.editor).trim();
  switch (prompt.name) {
    case 'filter':
      return only(withFilter(withUi(model, { prompt: undefined }), prompt.pane, text));
    case 'find':
      return only(find(withUi(model, { prompt: undefined }), text));
    case 'message':
      return text === '' ? only(closePrompt(model, prompt)) : send(model, prompt.session, text);
    case 'key':
      return only(model);
    case 'code':
      return text === ''
        ? only(model)
        : and(withUi(model, { prompt: undefined }), { type: 'proof', id: prompt.id, code: text });
    case 'reason':
      return verdict(model, prompt.code, 'deny', text === '' ? {} : { reason: text.slice(0, 2000) });
    case 'answer':
      return text === ''
        ? only(model)
        : verdict(model, prompt.code, 'allow', { answer: text.slice(0, 2000) });
    default:
      return never(prompt);
  }
}

/** What comes of it is read in the transcript. The draft goes only with the message: what the bridge refused is still there to be sent again. */
function send(model: Model, session: string, text: string): Outcome {
  const drafts = new Map(model.ui.drafts);
  drafts.set(session, { before: text, after: '' });
  const focus = model.ui.focus === 'frames' ? 'transcript' : model.ui.focus;
  const next = withUi(model, {
    prompt: undefined,
    drafts,
    focus,
    main: 'transcript',
    transcriptTop: undefined,
  });
  const params = { session, text, create: false, follow: false };
  return and(next, { type: 'call', method: 'session.send', params, done: 'message stored, on its way' });
}

function verdict(
  model: Model,
  code: string,
  given: 'allow' | 'deny',
  more: { reason?: string; answer?: string },
): Outcome {
  return and(withUi(model, { prompt: undefined, overlay: undefined }), {
    type: 'call',
    method: 'permission.decide',
    params: { code, verdict: given, door: 'tui', ...more, ...shownIf(model, code, given) },
    done: given === 'deny' ? `${code} denied` : `${code} answered`,
  });
}

/** Its panel lies below the prompt, and was read to its end. */
function shownIf(model: Model, code: string, given: 'allow' | 'deny'): { shown?: string } {
  const ask = given === 'allow' ? findAsk(model, code)?.ask : undefined;
  return ask ? { shown: digestOf(ask) } : {};
}
