// Says what was broken: a pure function over what clients wrote down, the journal, Claude's transcripts and what ran.
// It shares nothing with the bridge but the names of events.
import { clockSlackMs, commandRules } from './check-commands.ts';
import { heardRules } from './check-heard.ts';
import type { Entry } from './entry.ts';
import type { Evidence, Row } from './evidence.ts';

export type Rule =
  /** A message that was answered with 200 is not in the journal. */
  | 'lost'
  /** The journal has a message twice, or Claude was given it twice, or began it twice. */
  | 'given twice'
  /** A question was decided twice, or what was allowed once ran twice. */
  | 'applied twice'
  /** Something ran that nobody allowed. */
  | 'ran unasked'
  | 'verdict lost'
  | 'command lost'
  /** A client never got to the end of an answer. */
  | 'unended'
  /** An answer ended in the middle, without words. */
  | 'cut'
  /** A line is missing in front of one that is there. */
  | 'hole'
  | 'line twice'
  /** A short message afterwards was not answered by Claude. */
  | 'wedged'
  | 'journal gap'
  /** A hook of Claude that the journal knows nothing of, or not all. */
  | 'unheard'
  | 'heard twice'
  /** A session has another Claude Code, although the one that it had was not broken. */
  | 'replaced'
  /** What only one row looks at. */
  | 'claim';

export interface Violation {
  rule: Rule;
  words: string;
}

export interface Verdict {
  /** How many things were looked at. */
  checks: number;
  violations: Violation[];
}

/** One thing that was looked at: broken when `words` are there. */
export type Finding = { rule: Rule; words: string | undefined };

export function check(evidence: Evidence): Verdict {
  const findings = [
    ...gaps(evidence.rows),
    ...messageRules(evidence),
    ...commandRules(evidence),
    ...heardRules(evidence),
    ...claims(evidence.history),
  ];
  return {
    checks: findings.length,
    violations: findings.flatMap(({ rule, words }) => (words === undefined ? [] : [{ rule, words }])),
  };
}

function* gaps(rows: readonly Row[]): Generator<Finding> {
  const at = rows.findIndex(({ seq }, index) => seq !== index + 1);
  yield { rule: 'journal gap', words: at < 0 ? undefined : `row ${at + 1} is ${rows[at]?.seq}` };
}

function* claims(history: readonly Entry[]): Generator<Finding> {
  for (const entry of history) {
    if (entry.is !== 'claim') continue;
    yield { rule: 'claim', words: entry.held ? undefined : `${entry.what}: ${entry.words}` };
  }
}

type Of<T extends Entry['is']> = Extract<Entry, { is: T }>;

function* messageRules(evidence: Evidence): Generator<Finding> {
  const byMark = Map.groupBy(
    evidence.history.filter((entry): entry is Extract<Entry, { mark: string }> => 'mark' in entry),
    ({ mark }) => mark,
  );
  const gone = new Set(evidence.history.flatMap((entry) => (entry.is === 'told-gone' ? entry.marks : [])));
  for (const entries of byMark.values()) {
    const sent = entries.find((entry): entry is Of<'sent'> => entry.is === 'sent');
    if (!sent) continue;
    const accepted = entries.find(({ is }) => is === 'accepted')?.wall;
    if (!gone.has(sent.mark)) yield* inJournal(sent, accepted, evidence);
    yield* answered(sent, entries);
  }
}

function* inJournal(
  { mark }: Of<'sent'>,
  accepted: number | undefined,
  { rows, given }: Evidence,
): Generator<Finding> {
  const queued = rows.filter(({ event }) => event.type === 'turn.queued' && isOf(mark, event.text));
  if (accepted !== undefined) {
    // What a repeat brought back was lost all the same.
    const kept = queued.some(({ at }) => at <= accepted + clockSlackMs);
    yield { rule: 'lost', words: kept ? undefined : `${mark} was accepted and is not there` };
  }
  const turns = new Set(queued.map(({ event }) => event.turn));
  const often = {
    'is in the journal': queued.length,
    'was given to Claude': given.filter((text) => isOf(mark, text)).length,
  };
  for (const [what, times] of Object.entries(often))
    yield { rule: 'given twice', words: times > 1 ? `${mark} ${what} ${times} times` : undefined };
  const steps = rows.filter(({ event }) => turns.has(event.turn)).map(({ event }) => event.type);
  const again =
    steps.includes('turn.running') && steps.lastIndexOf('turn.delivering') > steps.indexOf('turn.running');
  yield { rule: 'given twice', words: again ? `${mark} was handed over after Claude had it` : undefined };
}

const isOf = (mark: string, text: unknown): boolean => typeof text === 'string' && text.includes(mark);

/** What a chat reads instead of the rest of an answer: what happened, or a question that has to be answered before. */
const words = /⚠️|`(?:yes|show) [a-km-z]{5}`/;

/** Whether an answer came to its end, whole or in words. */
export function* answered(
  { mark, expects, last }: Of<'sent'>,
  entries: readonly { is: string }[],
): Generator<Finding> {
  const ended = entries.findLast((entry): entry is Of<'ended'> => entry.is === 'ended');
  const text = ended?.text ?? '';
  const none = text.trim() === '' ? `${mark} got no answer` : undefined;
  yield { rule: last ? 'wedged' : 'unended', words: none };
  if (none !== undefined || expects.length === 0) return;
  const lines = text.split('\n').map((line) => line.trim());
  const times = expects.map((line) => lines.filter((each) => each.includes(line)).length);
  const missing = times.indexOf(0);
  const furthest = times.findLastIndex((count) => count > 0);
  yield { rule: 'line twice', words: times.some((n) => n > 1) ? `${mark}: ${times.join(' ')}` : undefined };
  yield {
    rule: 'hole',
    words:
      missing >= 0 && missing < furthest ? `${mark}: line ${missing + 1} of ${expects.length}` : undefined,
  };
  yield {
    rule: last ? 'wedged' : 'cut',
    words: missing < 0 || (!last && words.test(text)) ? undefined : `${mark} read: ${text.slice(-200)}`,
  };
}
