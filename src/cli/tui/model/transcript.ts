// The conversation of a session as lines: who said what, what Claude did in between, how each turn ended.

import type { Turn } from '../../../domain/state/turn.ts';
import { type SessionView, turnsOf } from '../../../domain/views/session/session-view.ts';
import type { Step } from '../../../domain/views/session/steps.ts';
import { gistOf } from '../../../domain/views/words/gist.ts';
import { adoptedFrom, agentText, sentBy } from '../../../domain/views/words/message-words.ts';
import { endingWords } from '../../../domain/words/turn-words.ts';
import { safeLine } from '../../output/safe.ts';
import { duration } from '../../sessions/words.ts';
import { clip } from '../../text/width.ts';
import { wrap, wrapLines } from '../../text/wrap.ts';
import { timeOfDay } from '../session-words.ts';
import { blank, type Line, line, lineWidth, type Span, span } from '../text/line.ts';
import { oneText } from './find.ts';

/** Longest text of one turn that is laid out, characters; the frame stream has all of it. */
const longestText = 60_000;

interface Known {
  cells: number;
  steps: readonly Step[];
  lines: readonly Line[];
}

const turns = new WeakMap<Turn, Known>();

/** Every line of the transcript. Only what changed since the last time is laid out again. */
export function transcriptLines(view: SessionView, cells: number): readonly Line[] {
  return turnsOf(view).flatMap((turn) => linesOf(turn, view, cells));
}

/** Whose line it is. */
export function turnAt(view: SessionView, cells: number, line: number): Turn | undefined {
  let end = 0;
  const turns = turnsOf(view);
  for (const turn of turns) {
    end += linesOf(turn, view, cells).length;
    if (line < end) return turn;
  }
  return turns.at(-1);
}

function linesOf(turn: Turn, view: SessionView, cells: number): readonly Line[] {
  const steps = view.steps.filter((step) => step.turn === turn.id);
  const known = turns.get(turn);
  if (known?.cells === cells && sameSteps(known.steps, steps)) return known.lines;
  const lines = turnLines(turn, steps, view, cells);
  turns.set(turn, { cells, steps, lines });
  return lines;
}

const sameSteps = (a: readonly Step[], b: readonly Step[]): boolean =>
  a.length === b.length && a.every((step, index) => step === b[index]);

const adopters = {
  task: 'background task',
  wakeup: 'wake-up',
  continued: 'Stop hook or teammate',
  terminal: 'terminal',
};

/** Before each row of what was said to Claude. */
const bar = '│ ';

function turnLines(turn: Turn, steps: readonly Step[], view: SessionView, cells: number): Line[] {
  const who = turn.adopted
    ? adopters[adoptedFrom(turn.text, turn.origin)]
    : sentBy(turn.sender?.name ?? turn.sender?.id ?? turn.ingress, turn.quotes);
  const head: Line = [
    span(safeLine(who), 'accent'),
    span(`  ${timeOfDay(turn.acceptedAt)}`, 'dim'),
    ...phase(turn),
  ];
  const said = wrapLines(cutHead(turn.text), cells - 2).flatMap((rows) =>
    oneText(
      rows.map((text): Line => [span(bar, 'accent'), span(text)]),
      bar.length,
    ),
  );
  return [head, ...said, ...answerLines(turn, steps, cells), ...endLines(turn, view, cells), blank];
}

const cutHead = (text: string): string =>
  text.length > longestText
    ? `${text.slice(0, longestText)}\n[… ${text.length - longestText} characters more …]`
    : text;

function phase(turn: Turn): Span[] {
  switch (turn.phase.name) {
    case 'queued':
      return [span('  waits in the queue', 'warn')];
    case 'delivering':
    case 'joining':
      return [span('  on its way to Claude', 'busy')];
    case 'running':
      return turn.cancelledBy === undefined ? [] : [span('  is being interrupted', 'warn')];
    case 'settled':
      return [];
    default:
      return turn.phase satisfies never;
  }
}

/** Claude's text, cut where it did something, so that the deeds stand where they happened. */
function answerLines(turn: Turn, steps: readonly Step[], cells: number): Line[] {
  const { text } = turn.answer;
  const from = Math.max(0, text.length - longestText);
  const lines: Line[] = from === 0 ? [] : [line(`[… ${from} characters before …]`, 'dim')];
  let done = from;
  for (const step of steps) {
    const until = Math.max(done, Math.min(step.offset, text.length));
    lines.push(...textLines(text.slice(done, until), cells), stepLine(step, steps, cells));
    done = until;
  }
  lines.push(...textLines(text.slice(done), cells));
  const writes =
    turn.phase.name === 'running' && steps.every(({ state, agent }) => state !== 'open' || agent);
  if (writes) lines.push(line('▍', 'busy'));
  return lines.length === 0 ? [] : [line('Claude', 'strong'), ...lines];
}

function textLines(text: string, cells: number): Line[] {
  const trimmed = text.replace(/^\n+/, '').trimEnd();
  if (trimmed === '') return [];
  return wrapLines(trimmed, cells).flatMap((rows) => oneText(rows.map((each) => line(each))));
}

const marks: Record<Step['state'], Span> = {
  open: span('◆', 'busy'),
  done: span('✓', 'good'),
  failed: span('✗', 'bad'),
  allowed: span('✓', 'good'),
  denied: span('⊘', 'bad'),
  cut: span('■', 'warn'),
  gone: span('·', 'dim'),
};

/** Behind the name of a tool whose mark alone does not say it. */
const endWords: Partial<Record<Step['state'], string>> = {
  denied: 'denied',
  cut: 'cut short',
  gone: 'end not seen',
};

function stepLine(step: Step, all: readonly Step[], cells: number): Line {
  // A question about a tool call that stands above need not name it again.
  const known = step.about !== undefined && all.some(({ id, kind }) => kind === 'tool' && id === step.about);
  const took = step.ended === undefined ? '' : `  ${duration(step.ended - step.began)}`;
  const words = step.kind === 'ask' ? ` ${safeLine(askWords(step))}` : '';
  const asks = step.state === 'open' && step.kind === 'ask';
  const start: Line = [
    span(known ? '    ' : '  '),
    asks ? span('▲', 'warn') : marks[step.state],
    span(words, asks ? 'warn' : 'dim'),
  ];
  if (known) return [...start, span(took, 'dim')];
  const left = (before: Line) => Math.max(8, cells - lineWidth(before) - took.length - 2);
  const name: Line = [...start, span(` ${safeLine(step.tool)}`, 'tool')];
  // How far it is comes first: what it was given is often long.
  const far = step.state === 'open' ? safeLine(step.progress ?? '').trim() : '';
  const ended = step.kind === 'ask' ? undefined : endWords[step.state];
  const note = far === '' ? ended : far;
  const tone = far === '' ? 'dim' : 'busy';
  const head = note === undefined ? name : [...name, span(`  ${note}`, tone)];
  const input = safeLine(gistOf(step.tool, step.input).slice(0, 400));
  return [...head, span(`  ${clip(input, left(head))}${took}`, 'dim')];
}

function askWords({ state, id, agent }: Step): string {
  switch (state) {
    case 'open':
      return `${agent ? `${agentText(agent)} ` : ''}asks you: ${id}`;
    case 'allowed':
      return 'allowed';
    case 'denied':
      return 'denied';
    default:
      return 'question closed';
  }
}

/** How it ended, when its answer does not say so itself. */
function endLines(turn: Turn, view: SessionView, cells: number): Line[] {
  const words = endingWords(turn, view.session.key, view.session.claude);
  if (words === '') return [];
  const first = words
    .replaceAll('**', '')
    .split('\n')
    .filter((each) => each !== '');
  return first.flatMap((each) => wrap(each, cells)).map((each) => line(each, 'warn'));
}
