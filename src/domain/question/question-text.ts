// A permission question in the words of a chat, in parts that a chat can show.

import type { Ask } from '../state/session.ts';
import type { Turn } from '../state/turn.ts';
import { exampleFor } from './answer-words.ts';
import { waitsForOperator } from './approvers.ts';
import { askedQuestions } from './asked-questions.ts';
import { askerOf } from './asker.ts';
import { block, closing, type Dialect, inline, literal } from './dialect.ts';
import { type DialogInput, dialogOf } from './dialog-question.ts';
import { dialogHead } from './dialog-words.ts';
import { broken, exact } from './exact.ts';
import { needsText } from './needs-text.ts';
import { partsOf } from './parts.ts';
import { type Picture, pictureOf } from './picture.ts';
import { runBy } from './run-by.ts';

/** Who may answer where the question is read. */
export type AnswerRoad = 'chat' | 'operator';

/** Where a question is read. */
export interface ChatPlace {
  road: AnswerRoad;
  dialect: Dialect;
  /** What was said before it in the same message, '' for nothing. */
  before: string;
}

/** Characters of a question that one message shows: the smallest chats take 2,000 with the words around it. */
const partSize = 1_400;

/** Longest line of a block, characters: a code block does not wrap everywhere. */
const blockLine = 100;

/** Where nobody may answer, as in a group before approvers are named, the chat is not asked to. */
export function answerRoad(turn: Turn | undefined, approvers: readonly string[]): AnswerRoad {
  return turn && waitsForOperator(turn.meta, approvers) ? 'operator' : 'chat';
}

/** How the chat of a turn reads what it is sent. */
export function dialectOf(turn: Turn | undefined): Dialect {
  if (turn?.ingress === 'agp') return 'plain';
  return turn?.meta.source_channel === 'discord' ? 'discord' : 'markdown';
}

const cut = new WeakMap<Picture, readonly string[]>();

/** What runs, in parts that a chat shows: a picture is cut once, as a long one takes its time. At least one. */
export function chatParts(ask: Ask): readonly string[] {
  const picture = pictureOf(ask);
  const parts = cut.get(picture) ?? partsOf(broken(picture.body, blockLine), partSize);
  cut.set(picture, parts);
  return parts;
}

/** The parts that a chat has not shown yet, from 1. The first one comes with the question. */
export const hiddenParts = (ask: Ask): number[] =>
  chatParts(ask)
    .map((_, at) => at + 1)
    .filter((part) => part > 1 && !ask.shownParts.includes(part));

/** Whether a chat has seen all that a plain yes there would allow. */
export const isShownInChat = (ask: Ask): boolean =>
  pictureOf(ask).missing === undefined && hiddenParts(ask).length === 0;

export function questionText(ask: Ask, given: ChatPlace): string {
  const { dialect, before } = given;
  const place = roadOf(ask, given);
  const picture = pictureOf(ask);
  const [first = ''] = chatParts(ask);
  const lines = [
    headOf(ask, dialect),
    ...(picture.why === undefined ? [] : [`Claude's reason: ${inline(picture.why, dialect)}`]),
    ...(first === '' ? [] : [block(first, dialect)]),
    ...(picture.missing === undefined
      ? []
      : [`(This is only the beginning: ${restWords(picture.missing)}.)`]),
    ...howToGoOn(ask, place, 1),
  ];
  const closed = closing(before, dialect);
  return `${closed === '' ? '' : `${closed}\n\n`}${lines.join('\n')}${needsText(ask)}`;
}

const restWords = (missing: number | 'unknown'): string =>
  missing === 'unknown'
    ? 'the rest of it is known to Claude Code alone'
    : `${missing} more characters are too much to draw`;

/**
 * For whoever writes on behind questions that were asked before: they are not asked whole again.
 *
 * @param asks at least one
 */
export function waitsBehindText(
  asks: readonly Pick<Ask, 'code' | 'tool'>[],
  { dialect, before }: Pick<ChatPlace, 'dialect' | 'before'>,
): string {
  const named = asks.map(
    ({ code, tool }) => `${literal(code, dialect)} (${inline(exact(tool).text, dialect)})`,
  );
  const show = literal(`show ${asks[0]?.code}`, dialect);
  const closed = closing(before, dialect);
  return `${closed === '' ? '' : `${closed}\n\n`}Claude waits for an answer to ${named.join(' and ')}; your message is next in line. ${show} shows what it asks.`;
}

/** One more part of a long question, for a chat that asked for it. @param part from 1, one of `chatParts` */
export function partText(ask: Ask, part: number, place: Pick<ChatPlace, 'road' | 'dialect'>): string {
  const parts = chatParts(ask);
  return [
    `Part ${part} of ${parts.length} of what ${literal(ask.code, place.dialect)} asks:`,
    block(parts[part - 1] ?? '', place.dialect),
    ...howToGoOn(ask, roadOf(ask, place), part),
  ].join('\n');
}

/** What only the operator may answer is asked of nobody else. */
const roadOf = <P extends Pick<ChatPlace, 'road'>>(ask: Ask, place: P): P =>
  ask.needs === 'operator' ? { ...place, road: 'operator' } : place;

function headOf(ask: Ask, dialect: Dialect): string {
  const { kind, tool, body } = pictureOf(ask);
  const who = askerOf(ask.agent, dialect);
  switch (kind) {
    case 'choice':
      return `${who} asks:`;
    case 'plan':
      return body === ''
        ? `${who} asks whether to carry out its plan, which is in what it wrote above.`
        : `${who} has a plan and asks whether to carry it out:`;
    case 'dialog':
      return dialogHead(ask);
    case 'permission': {
      const name = inline(tool, dialect);
      return `${who} asks for permission to use ${dialect === 'markdown' ? `**${name}**` : name}${runBy(ask)}:`;
    }
  }
}

/** @param part the one that is just being shown */
function howToGoOn(ask: Ask, place: Pick<ChatPlace, 'road' | 'dialect'>, part: number): string[] {
  const { code } = ask;
  const say = (words: string) => literal(words, place.dialect);
  const parts = chatParts(ask);
  const hidden = hiddenParts(ask).filter((each) => each !== part);
  if (hidden.length === 0) return [howToAnswer(ask, place)];
  const missing = hidden.reduce((sum, each) => sum + (parts[each - 1]?.length ?? 0), 0);
  const next = `${missing} more characters: ${say(`show ${code} ${hidden[0]}`)} shows the next ones.`;
  if (place.road === 'operator') return [next, howToAnswer(ask, place)];
  return [
    next,
    `${say(`no ${code}`)} denies it at once; ${say(`yes ${code}`)} counts when all of it was shown.`,
  ];
}

function howToAnswer(ask: Ask, { road, dialect }: Pick<ChatPlace, 'road' | 'dialect'>): string {
  const { code, input } = ask;
  const say = (words: string) => literal(words, dialect);
  const { kind, missing } = pictureOf(ask);
  const dialog = dialogOf(ask);
  if (dialog) return howToAnswerDialog(dialog, ask, road, say);
  const choice = kind === 'choice';
  const questions = askedQuestions(input);
  const example = exampleFor(questions);
  if (road === 'operator') {
    const answer = questions.length > 1 ? `"${example}"` : example;
    return choice
      ? `It waits for the operator: ${say(`synthesis approve ${code} --answer ${answer}`)}.`
      : `It waits for the operator: ${say(`synthesis approve ${code}`)} or ${say(`synthesis deny ${code}`)}.`;
  }
  if (missing !== undefined)
    return `Reply ${say(`no ${code}`)}, or let the operator look at the rest and answer.`;
  if (!choice) return `Approve? Reply ${say(`yes ${code}`)} or ${say(`no ${code}`)}.`;
  const how =
    questions.length > 1
      ? 'with one number for each question, in order, or your own words separated by ";",'
      : 'with the number or your own words,';
  return `Reply ${say(`yes ${code} ${example}`)} ${how} or ${say(`no ${code}`)} to decline.`;
}

/** Only what the option says is known of what it does: nothing here calls one of them the right one. */
function howToAnswerDialog(
  { options }: DialogInput,
  { code }: Ask,
  road: AnswerRoad,
  say: (words: string) => string,
): string {
  const waits = road === 'operator' ? 'It waits for the operator' : 'Reply';
  const join = road === 'operator' ? ': ' : ' ';
  const [yes, no] =
    road === 'operator'
      ? [`synthesis approve ${code} --answer 1`, `synthesis deny ${code}`]
      : [`yes ${code} 1`, `no ${code}`];
  const esc = `${say(no)}, which presses Esc`;
  if (options.length === 0)
    return `${waits}${join}${esc}. Anything else can only be answered in its terminal: ${say('synthesis attach')}.`;
  return `${waits}${join}${say(yes)} with the number of the option, or ${esc}.`;
}
