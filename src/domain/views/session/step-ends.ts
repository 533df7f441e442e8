// How a step ends: every mark that says "it runs" has to give way to another one.
import type { Session } from '../../state/session.ts';
import type { Turn } from '../../state/turn.ts';
import type { Step } from './steps.ts';

type Ending = Exclude<Step['state'], 'open'>;
type Outcome = Extract<Turn['phase'], { name: 'settled' }>['outcome'];

/** The first ending counts: a question that was decided stays decided when it is settled. */
export const end = (steps: readonly Step[], id: string, state: Ending, at: number): readonly Step[] =>
  changed(steps, (step) => (step.id === id && step.state === 'open' ? { ...step, state, ended: at } : step));

/** Claude Code says how a tool ended, which counts for more than what was made of a no or of the end of a turn. */
export const proven = (
  steps: readonly Step[],
  id: string,
  state: 'done' | 'failed',
  at: number,
): readonly Step[] =>
  changed(steps, (step) => {
    const told = step.state === 'done' || step.state === 'failed';
    // What was denied fails, too.
    const denied = step.state === 'denied' && state === 'failed';
    return step.id !== id || told || denied ? step : { ...step, state, ended: at };
  });

/** A tool that was denied does not run, and nothing more is heard of it. */
export function decided(
  steps: readonly Step[],
  { code, verdict }: { code: string; verdict: 'allow' | 'deny' },
  at: number,
): readonly Step[] {
  if (verdict === 'allow') return end(steps, code, 'allowed', at);
  const about = steps.find(({ id, kind }) => id === code && kind === 'ask')?.about;
  const asked = end(steps, code, 'denied', at);
  return about === undefined ? asked : end(asked, about, 'denied', at);
}

/**
 * Nothing of a turn goes on behind its end, except what an agent asks or calls. Of what it completed without, the end was
 * not seen.
 */
export const turnEnded = (
  steps: readonly Step[],
  turn: string,
  outcome: Outcome,
  at: number,
): readonly Step[] =>
  changed(steps, (step) => {
    if (step.turn !== turn || step.state !== 'open' || step.agent) return step;
    return outcome === 'completed' ? { ...step, state: 'gone' } : { ...step, state: 'cut', ended: at };
  });

/** What is still open, though its end came while nobody listened. */
export const atSnapshot = (steps: readonly Step[], session: Session): readonly Step[] =>
  changed(steps, (step) => {
    if (step.state !== 'open' || step.turn === undefined) return step;
    const state = answered(step, session) ?? stateAfter(step, session);
    return state === 'open' ? step : { ...step, state };
  });

/** By the question that it is, or that is about it. */
function answered({ id, kind }: Step, { asks }: Session): 'allowed' | 'denied' | undefined {
  const ask = asks.find(({ code, toolUse }) => (kind === 'ask' ? code : toolUse) === id);
  const verdict = ask && 'verdict' in ask.state ? ask.state.verdict : undefined;
  if (verdict === 'deny') return 'denied';
  return verdict === 'allow' && kind === 'ask' ? 'allowed' : undefined;
}

function stateAfter({ id, kind, turn: of, agent }: Step, { turns, asks, calls }: Session): Step['state'] {
  const turn = turns.find((each) => each.id === of);
  if (!turn && !agent) return 'gone';
  if (turn?.phase.name === 'settled' && !agent) return turn.phase.outcome === 'completed' ? 'gone' : 'cut';
  if (kind === 'lent') return calls.some(({ call }) => call === id) ? 'open' : 'gone';
  if (kind === 'ask')
    return asks.some(({ code, state }) => code === id && state.name === 'asked') ? 'open' : 'gone';
  return 'open';
}

/** The same list where nothing changed: what was laid out from it stays. */
function changed(steps: readonly Step[], change: (step: Step) => Step): readonly Step[] {
  const next = steps.map(change);
  return next.some((step, at) => step !== steps[at]) ? next : steps;
}
