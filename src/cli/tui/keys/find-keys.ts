// Searching in the transcript of the chosen session.
import { safeLine } from '../../output/safe.ts';
import { layout } from '../layout.ts';
import { emptyEditor } from '../model/editor.ts';
import { type Outcome, only } from '../model/effect.ts';
import { linesWith } from '../model/find.ts';
import { type Model, withUi } from '../model/model.ts';
import { chosenView } from '../model/rows.ts';
import { transcriptLines } from '../model/transcript.ts';
import { findOf, transcriptCells, transcriptRoom, transcriptTop } from '../panes/transcript.ts';
import { centred } from '../text/scroll.ts';
import type { Binding } from './binding.ts';
import { toast } from './everywhere.ts';

/** Shows the next line with the words, from the one that was found last, or from the first on the screen. */
function go(model: Model, words: string, by: -1 | 1): Model {
  const view = chosenView(model);
  const { session } = model.ui;
  if (!view || session === undefined) return model;
  const { heights, widths } = layout(model);
  const lines = transcriptLines(view, transcriptCells(widths.transcript));
  const room = transcriptRoom(model, heights.transcript);
  const found = linesWith(lines, words);
  if (found.length === 0)
    return toast(withUi(model, { find: undefined }), `"${safeLine(words)}" is not in this transcript.`);
  const last = findOf(model);
  const from = last?.line ?? transcriptTop(lines.length, room, model.ui.transcriptTop) - 1;
  const next = by === 1 ? found.find((at) => at > from) : found.findLast((at) => at < from);
  const line = next ?? (by === 1 ? found[0] : found.at(-1)) ?? 0;
  const shown = withUi(model, {
    find: { session, words, line },
    transcriptTop: centred(lines.length, room, line),
  });
  if (next !== undefined) return shown;
  return toast(shown, by === 1 ? 'From the beginning again.' : 'From the end again.');
}

export const find = (model: Model, words: string): Model =>
  words === '' ? withUi(model, { find: undefined }) : go(withUi(model, { find: undefined }), words, 1);

function again(model: Model, by: -1 | 1): Outcome {
  const last = findOf(model);
  return only(last ? go(model, last.words, by) : toast(model, 'Nothing is searched for: / begins.'));
}

export const findKeys: readonly Binding[] = [
  {
    keys: ['/'],
    show: '/',
    words: 'search for a text; Esc ends that',
    run: (model) => {
      const before = findOf(model)?.words ?? '';
      return only(withUi(model, { prompt: { name: 'find', editor: { ...emptyEditor, before } } }));
    },
  },
  { keys: ['n'], show: 'n', words: 'the next line with it', run: (model) => again(model, 1) },
  { keys: ['N'], show: 'N', words: 'the line before with it', run: (model) => again(model, -1) },
];
