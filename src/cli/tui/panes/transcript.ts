import { safeLine } from '../../output/safe.ts';
import { agentsAtWork } from '../../sessions/words.ts';
import { clip, clipMiddle } from '../../text/width.ts';
import { highlighted, hitsAt, linesWith } from '../model/find.ts';
import { hasFocus, type Model, type Ui } from '../model/model.ts';
import { chosenView, nameOf, rowOf } from '../model/rows.ts';
import { transcriptLines } from '../model/transcript.ts';
import { block, type Line, line, span } from '../text/line.ts';
import { rule, titled } from './rule.ts';

/** A blank column on both sides lets the text breathe. */
const margin = 1;

/** Agents at work have a row of their own below the lines, except where there is hardly room for those. */
const hasAgents = (model: Model, height: number): boolean => {
  const view = chosenView(model);
  return height >= 4 && view !== undefined && rowOf(view).agents.length > 0;
};

/** Rows for lines of the transcript. */
export const transcriptRoom = (model: Model, height: number): number =>
  Math.max(1, height - (hasAgents(model, height) ? 2 : 1));
export const transcriptCells = (cells: number): number => Math.max(10, cells - 2 * margin);

/** First line to show; a reader who scrolled to the end follows it again. */
export const transcriptTop = (count: number, room: number, top: number | undefined): number =>
  top === undefined ? Math.max(0, count - room) : Math.min(top, Math.max(0, count - room));

/** What is searched for in the transcript that is shown. */
export const findOf = ({ ui }: Model): Ui['find'] => (ui.find?.session === ui.session ? ui.find : undefined);

export function transcriptPane(model: Model, height: number, cells: number): Line[] {
  const focused = hasFocus(model, 'transcript');
  const view = chosenView(model);
  const lines = view ? transcriptLines(view, transcriptCells(cells)) : [];
  const room = transcriptRoom(model, height);
  const top = transcriptTop(lines.length, room, model.ui.transcriptTop);
  const below = lines.length - top - room;
  const scrolled = model.ui.transcriptTop !== undefined && below > 0;
  const find = findOf(model);
  const note = find ? findNote(find, lines) : scrolled ? [span(`${below} lines below`, 'warn')] : [];
  const name = clipMiddle(view ? nameOf(model, view.session.key) : '', Math.max(8, cells - 36));
  const title = rule([...titled(2, 'Transcript', focused), span(`  ${name}`, 'dim')], note, focused, cells);
  const empty = line(' Nothing was said yet. Press m to write to Claude.', 'dim');
  const body = lines.slice(top, top + room).map((each, row): Line => {
    const hits = find ? hitsAt(lines, top + row, find.words) : [];
    const toned = highlighted(each, hits, (hit) => (hit.row === find?.line ? 'chosen' : 'found'));
    return [span(' '.repeat(margin)), ...toned];
  });
  const shown = block([title, ...(lines.length === 0 ? [empty] : body)], room + 1, cells);
  return block([...shown, ...agentsLine(model, height)], height, cells);
}

function agentsLine(model: Model, height: number): Line[] {
  const view = chosenView(model);
  if (!view || !hasAgents(model, height)) return [];
  return [line(` ◆ ${safeLine(agentsAtWork(rowOf(view), model.now))}`, 'busy')];
}

/** Which of how many lines it is. */
function findNote({ words, line: at }: NonNullable<Ui['find']>, lines: readonly Line[]): Line {
  const found = linesWith(lines, words);
  const place = found.filter((each) => each <= at).length;
  return [span(`/${clip(safeLine(words), 20)}`, 'accent'), span(`  ${place} of ${found.length}`, 'warn')];
}
