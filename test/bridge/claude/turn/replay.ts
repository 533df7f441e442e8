// Recorded and invented hooks, as the bridge hears them: through the real reader of hooks into the real core.
import { digestOf } from '../../../../src/domain/question/picture.ts';
import { deliveringTurn, openAsks, queuedInClaude } from '../../../../src/domain/state/session.ts';
import { type Line, ownerOf } from '../../../domain/turns/line.ts';
import { HookedRun } from '../hooked-run.ts';

/** Long enough for whatever waits for more of a turn, ms. */
const quietMs = 5_000;

/**
 * What became of lines that came in this order.
 * @param ours what is typed is a message of the bridge, one at a time; else somebody types it into the terminal
 */
export function replay(lines: readonly Line[], ours = false): HookedRun {
  const hooked = new HookedRun();
  let now = lines[0]?.t ?? 0;
  for (const [at, line] of lines.entries()) {
    hooked.clock.advance(Math.max(0, line.t - now));
    now = Math.max(now, line.t);
    if (line.k === 'typed' && ours && line.into === undefined && !line.text.startsWith('/'))
      hand(hooked, line.text);
    else take(hooked, line, lines.slice(at + 1));
  }
  hooked.clock.advance(quietMs);
  return hooked;
}

/** The bridge hands over one message at a time. */
function hand({ session, expect }: HookedRun, text: string): void {
  if (!deliveringTurn(session) && !queuedInClaude(session))
    expect(`t${session.turns.length}${text.length}`, text);
}

function take(hooked: HookedRun, line: Line, rest: readonly Line[]): void {
  const { core, host, run } = hooked;
  switch (line.k) {
    case 'hook': {
      const { hook_event_name: event, ...fields } = line.hook;
      host.hooked(event, fields, { n: line.n });
      return;
    }
    case 'hook-answer':
      return decide(hooked, line.n, line.answer);
    case 'hook-aborted':
      return host.hooks?.gone(line.n);
    case 'key':
      // What the watch of the screen sees: nothing of this turn comes any more.
      if (isInterrupting(line.key) && run.turns.busy && !goesOn(hooked, rest)) run.turnIdle(true);
      return;
    case 'start':
      core.dispatch({ type: 'agent.starting', run: `r${line.t}` });
      core.dispatch({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
      return;
    case 'exit':
      if (run.turns.resting) core.dispatch({ type: 'turn.stopped' });
      run.desk.close();
      core.dispatch({ type: 'agent.exited', detail: 'ended', failure: 'exited' });
      return;
    default:
      return;
  }
}

function decide({ core, run, session, host }: HookedRun, n: number, answer: unknown): void {
  const behavior = /"behavior":"(allow|deny)"/.exec(JSON.stringify(answer))?.[1];
  const ask = openAsks(session).find(({ hook }) => hook === n);
  if (!ask || !behavior) return;
  const verdict = behavior === 'allow' ? 'allow' : 'deny';
  const { code } = ask;
  core.dispatch({ type: 'permission.decide', code, verdict, by: 'cli', shown: digestOf(ask) });
  run.desk.answer({ code, verdict, by: 'cli', scope: 'once' });
  host.hooks?.written(n);
}

const isInterrupting = (key: string): boolean => key === 'Esc' || key === 'Ctrl+C';

function goesOn({ run }: HookedRun, rest: readonly Line[]): boolean {
  for (const line of rest) {
    if (line.k === 'exit') return false;
    if (line.k !== 'hook' || ownerOf(line.hook) !== 'main') continue;
    const { hook_event_name: event, prompt_id: prompt } = line.hook;
    if (prompt === undefined || event === 'Notification') continue;
    if (event !== 'UserPromptSubmit') return run.turns.runs(prompt);
    // What is typed meanwhile says nothing of it.
    if (!run.turns.runs(prompt)) return false;
  }
  return false;
}
