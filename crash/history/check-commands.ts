// What was commanded: verdicts on questions, and what an operator does to a session.
import type { Finding } from './check.ts';
import type { Entry } from './entry.ts';
import type { Evidence, Row } from './evidence.ts';

/** Two processes read the wall clock; a restart, which could leave the same events, takes longer. */
export const clockSlackMs = 50;

type Command = Extract<Entry, { is: 'commanded' }> & { acknowledged: number | undefined };

export function* commandRules({ history, rows, ran }: Evidence): Generator<Finding> {
  const decisions = Map.groupBy(
    rows.filter(({ event }) => event.type === 'permission.decided'),
    ({ event }) => String(event.code),
  );
  for (const [code, made] of decisions)
    yield {
      rule: 'applied twice',
      words: made.length > 1 ? `${code} was decided ${made.length} times` : undefined,
    };
  yield* whatRan(rows, ran, decisions);
  for (const command of commands(history)) {
    if (command.acknowledged === undefined) continue;
    if (command.code === undefined) yield kept(command, rows);
    else yield decided(command, command.code, rows, decisions.get(command.code)?.[0]);
  }
}

function commands(history: readonly Entry[]): Command[] {
  const told = new Map<number, number>();
  // The first one counts: what a repeat is told after a restart proves nothing about the time before.
  for (const entry of history)
    if (entry.is === 'acknowledged' && !told.has(entry.n)) told.set(entry.n, entry.wall);
  return history
    .filter((entry) => entry.is === 'commanded')
    .map((entry) => ({ ...entry, acknowledged: told.get(entry.n) }));
}

/** A tool appends the mark of its message. It may do so once, and only after its question was answered with yes. */
function* whatRan(
  rows: readonly Row[],
  ran: readonly string[],
  decisions: ReadonlyMap<string, Row[]>,
): Generator<Finding> {
  for (const mark of new Set(ran)) {
    const times = ran.filter((each) => each === mark).length;
    yield { rule: 'applied twice', words: times > 1 ? `${mark} ran ${times} times` : undefined };
    const allowed = rows.some(
      ({ event }) =>
        event.type === 'permission.asked' &&
        JSON.stringify(event.input).includes(mark) &&
        decisions.get(String(event.code))?.[0]?.event.verdict === 'allow',
    );
    yield { rule: 'ran unasked', words: allowed ? undefined : `${mark} ran without a yes` };
  }
}

function decided(command: Command, code: string, rows: readonly Row[], decision: Row | undefined): Finding {
  const verdict = command.deed === 'approve' ? 'allow' : 'deny';
  const { acknowledged = 0 } = command;
  // In a chat 200 may also mean: it was too late. Then the question was over before.
  const before = (row: Row | undefined) =>
    command.door === 'chat' && row !== undefined && row.at <= acknowledged;
  const over = rows.find(({ event }) => event.type === 'permission.settled' && event.code === code);
  const same = decision?.event.verdict === verdict && decision.at <= acknowledged + clockSlackMs;
  const good = same || before(decision) || before(over);
  return {
    rule: 'verdict lost',
    words: good
      ? undefined
      : `${command.deed} ${code} was acknowledged; ${decision ? `${decision.event.verdict} is` : 'nothing is'} in the journal`,
  };
}

/** Events that prove a command, each with what else has to be true of it. */
const proofs: Record<string, (event: Row['event']) => boolean> = {
  stop: ({ type }) => type === 'agent.stopping' || type === 'agent.exited',
  rm: ({ type }) => type === 'session.removed',
  interrupt: ({ type, outcome }) =>
    type === 'turn.cancelling' || (type === 'turn.settled' && outcome === 'cancelled'),
};

function kept({ deed, session, wall, acknowledged = wall }: Command, rows: readonly Row[]): Finding {
  const proof = rows.find(
    ({ at, event, session: of }) =>
      of === session &&
      at >= wall - clockSlackMs &&
      at <= acknowledged + clockSlackMs &&
      proofs[deed]?.(event) === true,
  );
  return {
    rule: 'command lost',
    words: proof ? undefined : `${deed} of ${session} was acknowledged and is not in the journal`,
  };
}
