import type { HookGroup, HookHandler } from '../settings/settings.ts';
import { runShell } from '../tools/shell.ts';
import { type HookAnswer, readHookAnswer } from './hook-answer.ts';
import { postHook } from './hook-http.ts';

export type HookEvent =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'MessageDisplay'
  | 'PreToolUse'
  | 'PermissionRequest'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'PostToolBatch'
  | 'Notification'
  | 'SubagentStart'
  | 'SubagentStop'
  | 'Stop'
  | 'StopFailure'
  | 'PreCompact'
  | 'PostCompact'
  | 'SessionEnd';

/** Seconds a handler may take when its settings say nothing (documented defaults). */
const defaultSeconds: Partial<Record<HookEvent, number>> = {
  UserPromptSubmit: 30,
  MessageDisplay: 10,
  SessionEnd: 1.5,
};

export interface HookContext {
  groups: Record<string, HookGroup[]>;
  cwd: string;
  /** The environment that header variables come from, and that commands get. */
  env: NodeJS.ProcessEnv;
  /** Shown on screen: an unreachable hook never stops a turn. */
  notice(text: string): void;
}

export interface HookRun {
  event: HookEvent;
  /** What a matcher is compared with: the tool name, the source, the notification type. */
  subject?: string;
  payload: Record<string, unknown>;
  /** Aborting it closes the connections of handlers that still hold their answer. */
  signal?: AbortSignal;
  /** Called as each handler answers; the whole run resolves when all have. */
  onAnswer?(answer: HookAnswer): void;
}

/** Runs every handler registered for an event, side by side. Never rejects: hooks fail open, with a notice. */
export class Hooks {
  readonly #context: HookContext;

  constructor(context: HookContext) {
    this.#context = context;
  }

  has(event: HookEvent): boolean {
    return this.#handlers(event, undefined).length > 0;
  }

  async run(run: HookRun): Promise<HookAnswer[]> {
    const body = JSON.stringify({ ...run.payload, hook_event_name: run.event });
    const answers = this.#handlers(run.event, run.subject).map(async (handler) => {
      const answer = await this.#answer(handler, run, body);
      run.onAnswer?.(answer);
      return answer;
    });
    return Promise.all(answers);
  }

  async #answer(handler: HookHandler, run: HookRun, body: string): Promise<HookAnswer> {
    const seconds = handler.timeout ?? defaultSeconds[run.event] ?? 600;
    const deadline = AbortSignal.timeout(Math.min(seconds * 1000, 2 ** 31 - 1));
    const signal = run.signal ? AbortSignal.any([run.signal, deadline]) : deadline;
    try {
      return handler.type === 'http'
        ? readHookAnswer(await postHook(handler, body, this.#context.env, signal))
        : await this.#command(handler.command, body, signal);
    } catch (error) {
      if (!run.signal?.aborted)
        this.#context.notice(`${run.event} hook failed · ${reasonOf(error, deadline)}`);
      return {};
    }
  }

  /** Exit code 2 blocks with what stands on stderr; other codes decide nothing. */
  async #command(command: string, body: string, signal: AbortSignal): Promise<HookAnswer> {
    const { cwd, env } = this.#context;
    const result = await runShell(command, { cwd, env, stdin: `${body}\n`, signal });
    if (result.code === 2) return { decision: 'block', reason: result.stderr.trim() };
    if (result.code !== 0) throw new Error(`exit code ${result.code}`);
    return readHookAnswer(result.stdout);
  }

  #handlers(event: HookEvent, subject: string | undefined): HookHandler[] {
    return (this.#context.groups[event] ?? [])
      .filter(({ matcher }) => matches(matcher, subject))
      .flatMap(({ hooks }) => hooks)
      .filter(({ type }) => type === 'command' || event !== 'SessionStart'); // http there is ignored silently
  }
}

function matches(matcher: string | undefined, subject: string | undefined): boolean {
  if (!matcher || matcher === '*' || subject === undefined) return true;
  return new RegExp(`^(?:${matcher})$`).test(subject);
}

function reasonOf(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return 'timed out';
  return error instanceof Error ? error.message : String(error);
}
