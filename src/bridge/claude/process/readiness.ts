// From spawn to ready. Ready = SessionStart seen, tools listed, the prompt drawn and no dialog (measured on 2.1.329: a
// prompt typed before `tools/list` was answered reaches a model without our tools, one typed right behind it a model that is
// told that they are still to come).

import type { Health } from '../../../protocol/events/events.ts';
import type { FailureCode } from '../../../protocol/events/failures.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from '../delivery/deliver-typed.ts';
import { type Dialog, mayConfirm } from '../screen/dialogs.ts';
import { promptUnknown } from '../screen/prompt-unknown.ts';
import { screenTail } from '../screen/screen-reader.ts';
import type { TerminalExit } from '../terminal-port.ts';
import { Boxless } from './boxless.ts';
import { provenClaude } from './preflight.ts';
import { probeBox } from './probe-box.ts';

export type Readiness =
  | { kind: 'ready'; health: Health[] }
  | { kind: 'dialog'; dialog: Dialog }
  | { kind: 'exited'; exit: TerminalExit }
  | { kind: 'timeout'; failure: FailureCode; detail: string };

/**
 * From the answer to `tools/list` until Claude Code has taken note of it, ms: a prompt that was submitted sooner told the
 * model in 5 of 16 starts that our server is still connecting (measured on 2.1.330; 0 of 16 with 40).
 */
const notedMs = 50;
/** The same at a start. On two cores, beside other Claude Codes: 50 were too few in 2 of 13, 150 in none of 24 (2.1.332). */
const firstNotedMs = 150;

/** @param consent the operator agreed to development channels @param ms time left */
export async function awaitReady(run: ClaudeRun, consent: boolean, ms: number): Promise<Readiness> {
  const deadline = run.clock.now() + ms;
  const boxless = new Boxless(run);
  try {
    return await untilReady(run, consent, deadline, boxless);
  } finally {
    boxless.close();
  }
}

async function untilReady(
  run: ClaudeRun,
  consent: boolean,
  deadline: number,
  boxless: Boxless,
): Promise<Readiness> {
  let confirmed = false;
  for (;;) {
    const seen = await run.watch.until(
      () => look(run, confirmed) ?? (boxless.look() && ({ kind: 'boxless' } as const)),
      deadline - run.clock.now(),
    );
    if (!seen) return timedOut(run);
    if (seen.kind === 'boxless') {
      const probe = await probeBox(run);
      if (probe.kind === 'unknown') return { kind: 'dialog', dialog: promptUnknown(probe.why, provenClaude) };
      continue;
    }
    if (seen.kind === 'drawn') return withoutTools(run, deadline);
    if (seen.kind === 'listed') return noted(run);
    if (seen.kind !== 'dialog') return seen;
    if (confirmed || !mayConfirm(seen.dialog, run.terminal.rows(), consent)) return seen;
    confirmed = true;
    run.log.info('development channels confirmed, as configured');
    run.terminal.write('\r');
  }
}

type Seen = Extract<Readiness, { kind: 'dialog' | 'exited' }> | { kind: 'drawn' } | { kind: 'listed' };

function look(run: ClaudeRun, confirmed: boolean): Seen | undefined {
  if (run.exit) return { kind: 'exited', exit: run.exit };
  if (run.view.box === undefined) {
    const { dialog } = run;
    // The confirmed dialog takes a moment to leave.
    return dialog && !(confirmed && dialog.id === 'development_channels')
      ? { kind: 'dialog', dialog }
      : undefined;
  }
  if (!run.sessionStarted) return undefined;
  return run.toolsListed ? { kind: 'listed' } : { kind: 'drawn' };
}

/** From the word that there are other tools until Claude Code has read them, ms: usually some 10. */
const relistMs = 1000;

/**
 * Before a prompt: the tools that came with it are read by then. Claude Code asks for them at once, also while it works,
 * but it goes on with what it has until it knows them.
 */
export async function awaitNewTools(
  run: Pick<ClaudeRun, 'tools' | 'watch' | 'log' | 'exit' | 'stopping'>,
): Promise<void> {
  const { tools, watch } = run;
  if (!tools.isStale) return;
  if (await watch.until(() => gone(run) || !tools.isStale, relistMs)) return watch.pause(notedMs);
  run.log.warn('Claude Code does not ask for the tools that it was told of');
  tools.giveUp();
}

async function noted(run: ClaudeRun): Promise<Readiness> {
  await run.watch.pause(firstNotedMs);
  return run.exit ? { kind: 'exited', exit: run.exit } : { kind: 'ready', health: [] };
}

/** The prompt is there and our tools are not yet: usually 170 ms, longer on a busy machine. */
async function withoutTools(run: ClaudeRun, deadline: number): Promise<Readiness> {
  const left = Math.min(run.limits.toolsMs, deadline - run.clock.now());
  await run.watch.until(() => run.toolsListed || run.exit !== undefined, left);
  if (run.exit) return { kind: 'exited', exit: run.exit };
  if (run.toolsListed) return noted(run);
  const words =
    "Claude Code did not load the bridge's tools. Answers work; tools of the hub do not. Look at /mcp in its terminal.";
  return { kind: 'ready', health: [{ code: 'tools_unavailable', words }] };
}

function timedOut(run: ClaudeRun): Readiness {
  if (run.exit) return { kind: 'exited', exit: run.exit };
  const why =
    run.view.box !== undefined && !run.sessionStarted
      ? 'Claude Code started, but its hooks do not reach the bridge. Are hooks disabled by a setting or a policy?'
      : 'Claude Code did not become ready in time.';
  const tail = screenTail(run.terminal.rows(), 8);
  return { kind: 'timeout', failure: 'start_timeout', detail: [why, tail].filter(Boolean).join('\n') };
}
