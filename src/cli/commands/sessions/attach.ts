import { CliError } from '../../cli-error.ts';
import { reachNodeOf } from '../../client/with-others.ts';
import { exitCodes } from '../../exit-codes.ts';
import { say } from '../../output/out.ts';
import type { AttachEnd } from '../../terminal/attach-terminal.ts';

export interface AttachOptions {
  state: string;
  session?: string;
  /** Claude's own screen instead of the operator's. */
  terminal: boolean;
  drive: boolean;
  detachKeys?: string;
  json: boolean;
}

export async function attach(options: AttachOptions): Promise<number> {
  const { state, session, terminal, drive, json } = options;
  const isInWords = json || !process.stdin.isTTY || !process.stdout.isTTY || process.env.TERM === 'dumb';
  if (!terminal && !drive && !isInWords) {
    const { attachTui } = await import('./attach-tui.ts');
    return attachTui(state, session);
  }
  if (session !== undefined) await reachNodeOf(state, session);
  if (terminal || drive) return claudesTerminal(options);
  const { attachStream } = await import('../journal/logs.ts');
  return attachStream(state, session, json);
}

const sentences: Record<AttachEnd, (session: string) => string> = {
  detached: (session) => `Detached. Claude Code of ${session} goes on.`,
  exited: (session) => `Claude Code of ${session} has ended; its conversation is kept.`,
  left: (session) =>
    `Detached; the bridge is gone. Claude Code of ${session} goes on without it: \`synthesis up\` takes it over, \`synthesis down\` ends it.`,
  gone: (session) =>
    `Claude Code of ${session} has ended while the bridge was away. Its conversation is kept; the next message resumes it.`,
  signal: () => 'Detached by a signal; Claude Code goes on.',
};

const codes: Record<AttachEnd, number> = {
  detached: exitCodes.ok,
  exited: exitCodes.ok,
  left: exitCodes.ok,
  gone: exitCodes.ok,
  signal: exitCodes.interrupted,
};

async function claudesTerminal({ state, session, drive, detachKeys }: AttachOptions): Promise<number> {
  if (session === undefined) {
    throw new CliError(
      'usage',
      'no_session',
      "Whose terminal? Claude's own screen belongs to one session.",
      'Name it: `synthesis attach <session> --terminal`; `synthesis ps` lists them.',
    );
  }
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new CliError(
      'usage',
      'no_terminal',
      "Claude's own screen needs a terminal to be shown in.",
      'Run this in one, or use `synthesis logs -f` or `synthesis inspect`.',
    );
  }
  const { attachTerminal } = await import('../../terminal/attach-terminal.ts');
  const end = await attachTerminal({
    state,
    session,
    drive,
    ...(detachKeys !== undefined && { detachKeys }),
  });
  say(sentences[end](session));
  return codes[end];
}
