import { safeLine } from '../../output/safe.ts';
import { clipStart, inCells } from '../../text/width.ts';
import { kindOf, kindTone } from '../frames/frame-kind.ts';
import { frameAt, shownFrames } from '../frames/frame-list.ts';
import { frameWords } from '../frames/frame-words.ts';
import { type Frame, hasFocus, type Model } from '../model/model.ts';
import { nodeCells } from '../nodes/nodes.ts';
import { timeOfDay } from '../session-words.ts';
import { block, fitLine, type Line, line, span, toned } from '../text/line.ts';
import { centred } from '../text/scroll.ts';
import { filterSpans, notes, rule, titled } from './rule.ts';

const painted = new WeakMap<Frame, { cells: number; nodes: number; line: Line }>();

/** A frame looks the same for as long as the pane is as wide. @param nodes cells for the names of machines */
function rowLine(row: Frame, cells: number, nodes: number): Line {
  const known = painted.get(row);
  if (known?.cells === cells && known.nodes === nodes) return known.line;
  const kind = kindOf(row.event);
  const name = Math.max(12, Math.min(30, Math.floor(cells / 6)));
  const line = fitLine(
    [
      span(` ${timeOfDay(row.at)}  `, 'dim'),
      span(inCells(row.event.type, 18), kindTone[kind]),
      span('  '),
      ...(nodes > 0 ? [span(`${inCells(safeLine(row.node ?? ''), nodes)}  `)] : []),
      span(inCells(clipStart(safeLine(row.session), name), name), 'dim'),
      span('  '),
      span(frameWords(row.event), kind === 'other' ? 'dim' : 'plain'),
    ],
    cells,
  );
  painted.set(row, { cells, nodes, line });
  return line;
}

/** What is left out, and whether the stream stands still. */
function note({ ui, came }: Model): Line {
  const { hidden, pausedAt, only, at } = ui.frames;
  const still =
    pausedAt === undefined
      ? span('scrolled', 'warn')
      : span(`paused +${Math.max(0, came - pausedAt)}`, 'warn');
  return notes(
    only && [span('this session', 'accent')],
    hidden.size > 0 && [span(`${hidden.size} kinds hidden`, 'accent')],
    filterSpans(ui, 'frames'),
    [pausedAt === undefined && at === undefined ? span('following', 'good') : still],
  );
}

export function framesPane(model: Model, height: number, cells: number): Line[] {
  const focused = hasFocus(model, 'frames');
  const frames = shownFrames(model);
  const room = height - 1;
  const nodes = nodeCells(model);
  const at = frameAt(frames, model.ui.frames.at);
  const top = centred(frames.length, room, model.ui.frames.at === undefined ? frames.length : at);
  const rows = frames.slice(top, top + room).map((row, index) => {
    const text = rowLine(row, cells, nodes);
    return focused && top + index === at ? toned(text, 'chosen') : text;
  });
  const empty = line(
    model.frames.length === 0 ? ' Nothing has happened yet.' : ' Every frame is filtered out.',
    'dim',
  );
  const title = rule(titled(3, 'Frames', focused), note(model), focused, cells);
  return block([title, ...(frames.length === 0 ? [empty] : rows)], height, cells);
}
