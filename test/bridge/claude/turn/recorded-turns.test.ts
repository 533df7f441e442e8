// What the real Claude Code 2.1.332 told by its hooks, and what invented ones tell: every turn ends, no text is lost or
// doubled, every question ends as it was decided, in whatever order the hooks come in.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currentTurn, queuedInClaude } from '../../../../src/domain/state/session.ts';
import { histories } from '../../../domain/turns/histories.ts';
import type { InventedQuestion, InventedTurn } from '../../../domain/turns/history.ts';
import type { Line } from '../../../domain/turns/line.ts';
import { lines, scenarios } from '../../../domain/turns/recorded.ts';
import { shuffled } from '../../../domain/turns/shuffled.ts';
import { mainHooks, truthOf } from '../../../domain/turns/truth.ts';
import { runs } from '../../../support/runs.ts';
import type { HookedRun } from '../hooked-run.ts';
import { replay } from './replay.ts';
import { type ToldTurn, toldTurns } from './told-turns.ts';

/** Two Claude Codes post to one place there, which a host rules out. */
const alone = scenarios.filter((name) => truthOf(lines(name)).isAlone);
const orders = runs(40);

/** Everything that is the same in whatever order hooks of several connections come. */
const sums = ({ core, session }: HookedRun) => ({
  turns: toldTurns(core.events).map(({ id: _, ...turn }) => turn),
  asks: session.asks
    .map(({ state, agent }) => `${agent?.id} ${state.name === 'settled' ? state.outcome : state.name}`)
    .sort(),
  tasks: session.tasks.map(({ id }) => id),
});

/** Text of the main thread, however it is cut into batches. */
const said = (sent: readonly Line[]): string =>
  mainHooks(sent)
    .map(({ hook }) => (hook.hook_event_name === 'MessageDisplay' ? (hook.delta ?? '') : ''))
    .join('');
const sorted = (text: string): string => [...text].sort().join('');

function holds(hooked: HookedRun, sent: readonly Line[]): void {
  const { core, session } = hooked;
  const turns = toldTurns(core.events);
  expect(core.refused).toEqual([]);
  expect([currentTurn(session), queuedInClaude(session)]).toEqual([undefined, undefined]);
  expect(turns.filter(({ outcome }) => outcome === undefined)).toEqual([]);
  expect(sorted(turns.map(({ text }) => text).join(''))).toBe(sorted(said(sent)));
  for (const [prompt, texts] of truthOf(sent).texts) {
    const own = turns.filter(({ prompts }) => prompts.includes(prompt)).map(({ text }) => text);
    for (const text of texts) expect(own.join('')).toContain(text);
  }
}

describe.each(alone)('%s', (name) => {
  const sent = lines(name);
  const truth = truthOf(sent);

  test('is told turn by turn, and nothing of it is lost', () => {
    const hooked = replay(sent);
    holds(hooked, sent);
    const count = (outcome: string) =>
      toldTurns(hooked.core.events).filter((turn) => turn.outcome === outcome && !turn.isContinued).length;
    // A turn that failed while an agent worked is in the transcript, too.
    if (!truth.isTeam) expect(count('completed')).toBeLessThanOrEqual(truth.completed);
    expect(count('completed') + count('failed')).toBeGreaterThanOrEqual(truth.completed);
    expect(count('cancelled')).toBeLessThanOrEqual(truth.interruptingKeys + blocked(sent));
  });

  test('is the same turns with other messages of the bridge in place of what was typed', () => {
    const hooked = replay(sent, true);
    holds(hooked, sent);
  });

  test(`is the same in ${orders} other orders`, () => {
    const usual = sums(replay(sent));
    for (let seed = 1; seed <= orders; seed += 1) expect(sums(replay(shuffled(sent, seed)))).toEqual(usual);
  });
});

/** Another hook of the user's refuses the prompt: it is over like one that was interrupted, unless it is ours. */
const blocked = (sent: readonly Line[]): number =>
  sent.filter((line) => line.k === 'hook-answer' && line.event === 'UserPromptSubmit').length;

test('our message, typed between a Stop and the end of an agent, gets its own answer', () => {
  const { core } = replay(lines('typed-between-stop-and-notification'), true);
  const ours = toldTurns(core.events).filter(({ id }) => /^t\d+$/.test(id));
  expect(ours.map(({ text, outcome }) => [text.trim(), outcome])).toMatchInlineSnapshot(`
    [
      [
        "The footbridge is blue.",
        "completed",
      ],
      [
        "The violin stands still.",
        "completed",
      ],
    ]
  `);
});

const until = (sent: readonly Line[], is: (line: Line) => boolean) => sent.slice(0, sent.findIndex(is));

const teams = alone.filter((name) => name.startsWith('team-'));

test.each([...teams, 'bg-bash-task-stop', 'mcp-background-task-stop'])(
  '%s leaves nothing that is waited for: Claude was told of it, or has stopped it',
  (name) => {
    const { session } = replay(until(lines(name), ({ k }) => k === 'end'));
    expect(session.tasks).toEqual([]);
  },
);

test('a teammate is at work until it stops, although no list has it', () => {
  const { session } = replay(
    until(lines('team-esc'), (line) => line.k === 'hook' && line.hook.hook_event_name === 'SubagentStop'),
  );
  expect(session.tasks).toMatchObject([{ id: 'a1', kind: 'agent', state: 'running' }]);
});

/** Only the newest are kept: what became of each is in the events. */
function asked({ core }: HookedRun): string[] {
  const ends = new Map<string, string>();
  const hooks = new Map<string, number | undefined>();
  for (const event of core.events) {
    if (event.type === 'permission.asked') hooks.set(event.code, event.hook);
    if (event.type === 'permission.settled') ends.set(event.code, event.outcome);
  }
  return [...hooks].map(([code, hook]) => `${hook} ${ends.get(code)}`).sort();
}

const ends: Record<InventedQuestion['outcome'], string> = {
  open: 'undefined',
  allowed: 'applied',
  denied: 'applied',
  'allowed in the terminal': 'superseded',
  'refused in the terminal': 'superseded',
  'closed with the process': 'expired',
};

const decided = ({ n, outcome }: InventedQuestion): string => `${n} ${ends[outcome]}`;

const outcomes: Record<InventedTurn['outcome'], string | undefined> = {
  completed: 'completed',
  failed: 'failed',
  interrupted: 'cancelled',
  exited: 'failed',
  running: undefined,
};

/** What a Stop hook makes Claude do behind a turn that had ended is a turn of its own here, and part of it there. */
const asInvented = (turns: readonly ToldTurn[]) =>
  turns.reduce<Pick<ToldTurn, 'prompts' | 'outcome'>[]>((all, { prompts, outcome, isContinued }) => {
    const before = isContinued ? all.at(-1) : undefined;
    const turn = { prompts: before?.prompts ?? prompts, ...(outcome !== undefined && { outcome }) };
    return [...(before ? all.slice(0, -1) : all), turn];
  }, []);

test('what is invented in the orders that were measured is told as it was', () => {
  fc.assert(
    fc.property(histories, ({ lines: sent, turns, questions }) => {
      const hooked = replay(sent);
      expect(asInvented(toldTurns(hooked.core.events))).toEqual(
        turns.map(({ prompts, outcome }) => ({ prompts, outcome: outcomes[outcome] })),
      );
      holds(hooked, sent);
      expect(asked(hooked)).toEqual(questions.map(decided).sort());
    }),
    { numRuns: runs(500) },
  );
});
