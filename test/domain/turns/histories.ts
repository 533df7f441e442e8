import fc from 'fast-check';
import type { History } from './history.ts';
import type { Verdict } from './simulated-calls.ts';
import { SimulatedClaude } from './simulated-claude.ts';

interface Step {
  what: keyof typeof steps;
  pick: number;
  gap: number;
  /** What waits for an idle Claude Code is told before this step, not together with what it adds. */
  isTaken: boolean;
}

const verdicts: readonly Verdict[] = ['allow', 'deny', 'yes', 'no'];

const steps = {
  type: (claude: SimulatedClaude) => claude.type(),
  say: (claude: SimulatedClaude, pick: number) => claude.say(1 + (pick % 3)),
  sayAgain: (claude: SimulatedClaude, pick: number) => claude.say(2 + (pick % 3), true),
  useTool: (claude: SimulatedClaude) => claude.useTool(),
  ask: (claude: SimulatedClaude, pick: number) => claude.ask(1 + (pick % 2)),
  startAgent: (claude: SimulatedClaude, pick: number) => claude.startAgent(pick % 2 === 1),
  wakeAgent: (claude: SimulatedClaude, pick: number) => claude.wakeAgent(pick),
  startShell: (claude: SimulatedClaude) => claude.startShell(),
  endShell: (claude: SimulatedClaude, pick: number) => claude.endShell(pick),
  agentUsesTool: (claude: SimulatedClaude, pick: number) => claude.agentUsesTool(pick),
  agentAsks: (claude: SimulatedClaude, pick: number) => claude.agentAsks(pick),
  endAgent: (claude: SimulatedClaude, pick: number) => claude.endAgent(pick, pick % 5 === 4),
  decide: (claude: SimulatedClaude, pick: number) => claude.decide(pick, verdicts[pick % 4] ?? 'allow'),
  stop: (claude: SimulatedClaude, pick: number) => claude.stop(pick % 4 === 3),
  fail: (claude: SimulatedClaude) => claude.fail(),
  interrupt: (claude: SimulatedClaude) => claude.interrupt(),
  rest: (claude: SimulatedClaude) => claude.rest(),
};
const weights: Partial<Record<Step['what'], number>> = {
  type: 4,
  say: 3,
  startAgent: 4,
  agentAsks: 3,
  endAgent: 4,
  decide: 4,
  stop: 5,
  rest: 4,
};

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    ...(Object.keys(steps) as Step['what'][]).flatMap(
      (what) => Array(weights[what] ?? 1).fill(what) as (typeof what)[],
    ),
  ),
  pick: fc.nat(19),
  gap: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 30, max: 300 })),
  isTaken: fc.boolean(),
});

/** Histories of one Claude Code in the orders that were measured, each with its own truth. */
export const histories: fc.Arbitrary<History> = fc
  .record({
    steps: fc.array(step, { minLength: 4, maxLength: 60, size: 'max' }),
    isKilled: fc.nat(9).map((each) => each === 9),
  })
  .map(({ steps: all, isKilled }) => {
    const claude = new SimulatedClaude();
    claude.type();
    for (const { what, pick, gap, isTaken } of all) {
      claude.gap = gap;
      if (isTaken) claude.takeQueue();
      steps[what](claude, pick);
    }
    if (isKilled) claude.kill();
    else claude.finish();
    return claude.history();
  });
