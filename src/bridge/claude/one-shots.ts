// A question outside of every conversation: a Claude Code of its own that has no tools, asks nobody, leaves no session
// and is gone with its answer. Its flags were measured on 2.1.329.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { claimDirectory } from '../../base/files/own-path.ts';
import { writePrivate } from '../../base/files/private-file.ts';
import { newId } from '../../base/ids.ts';
import { type Log, PrivateText } from '../../base/log.ts';
import { endProcesses } from '../../base/process/end-processes.ts';
import { descendantsOf } from '../../base/process/process-table.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { OneShotAnswer, OneShotPort, OneShotPrompt } from '../app/ports.ts';
import { childEnv } from './launch/child-env.ts';
import { loadExeca, type PreflightCheck } from './process/preflight.ts';

export interface OneShotsOptions {
  clock: Clock;
  log: Log;
  preflight: PreflightCheck;
  stateDir: string;
  /** Environment to choose the child's from. */
  env: Readonly<Record<string, string | undefined>>;
}

/** Claude Codes that answer at once; each takes about 200 MB while it does. */
const mostRunning = 2;
const mostWaiting = 20;
/** Milliseconds for one answer, waiting included. OpenClaw gives up on a sticker after 30 s. */
const longestMs = 60_000;
/** Bytes of its output that are read. */
const longestOutput = 4 * 1024 * 1024;

const Result = z.object({ type: z.literal('result'), is_error: z.boolean(), result: z.string() });

export class OneShots implements OneShotPort {
  readonly #options: OneShotsOptions;
  readonly #closing = new AbortController();
  readonly #open = new Set<Promise<OneShotAnswer>>();
  readonly #pids = new Set<number>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: OneShotsOptions) {
    this.#options = options;
    // A bridge that was killed left what it had written for one.
    rmSync(this.#folder, { recursive: true, force: true });
    claimDirectory(this.#folder);
  }

  /** Never rejects. */
  ask(prompt: OneShotPrompt, signal: AbortSignal): Promise<OneShotAnswer> {
    const answer = this.#ask(prompt, signal).catch((error: unknown) => failed(String(error)));
    this.#open.add(answer);
    return answer.finally(() => this.#open.delete(answer));
  }

  /** Kills those under way, with all that they have started. */
  endAll(): void {
    const pids = [...this.#pids];
    endProcesses(() => pids.flatMap((pid) => [pid, ...descendantsOf(pid)]));
  }

  /** Ends those under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#open);
  }

  get #folder(): string {
    return join(this.#options.stateDir, 'one-shots');
  }

  async #ask(prompt: OneShotPrompt, signal: AbortSignal): Promise<OneShotAnswer> {
    const { clock, log } = this.#options;
    if (this.#waiting.length >= mostWaiting) return { ok: false, busy: true, detail: tooMany };
    const late = new AbortController();
    const cancel = clock.after(longestMs, () => late.abort());
    const ended = AbortSignal.any([signal, late.signal, this.#closing.signal]);
    const since = clock.now();
    try {
      if (!(await this.#place(ended))) return failed(gaveUp);
      try {
        const answer = await this.#run(prompt, ended);
        const what = {
          ms: Math.round(clock.now() - since),
          ...(!answer.ok && { detail: new PrivateText(answer.detail) }),
        };
        log.info(answer.ok ? 'answered a utility call' : 'a utility call got no answer', what);
        return answer;
      } finally {
        this.#leave();
      }
    } finally {
      cancel();
    }
  }

  /** @returns false when it was not its turn before `ended` */
  async #place(ended: AbortSignal): Promise<boolean> {
    if (ended.aborted) return false;
    if (this.#running < mostRunning) {
      this.#running += 1;
      return true;
    }
    const turn = Promise.withResolvers<boolean>();
    const take = () => turn.resolve(true);
    const giveUp = () => {
      const at = this.#waiting.indexOf(take);
      if (at >= 0) this.#waiting.splice(at, 1);
      turn.resolve(false);
    };
    this.#waiting.push(take);
    ended.addEventListener('abort', giveUp, { once: true });
    return turn.promise.finally(() => ended.removeEventListener('abort', giveUp));
  }

  /** The place goes to whoever waits longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }

  async #run({ system, content }: OneShotPrompt, ended: AbortSignal): Promise<OneShotAnswer> {
    const preflight = await this.#options.preflight.run();
    if (!preflight.ok) return failed(preflight.detail);
    // Nothing lies in it that Claude Code would read by itself, such as a CLAUDE.md.
    const cwd = claimDirectory(join(this.#folder, newId('o')));
    try {
      const file = join(cwd, 'system.txt');
      writePrivate(file, system);
      const [program, ...args] = preflight.command;
      const { execa } = await loadExeca();
      const child = execa(program, [...args, ...flags(file)], {
        cwd,
        env: oneShotEnv(this.#options.env),
        extendEnv: false,
        reject: false,
        input: `${JSON.stringify({ type: 'user', message: { role: 'user', content: content.map(block) } })}\n`,
        stderr: 'ignore',
        maxBuffer: longestOutput,
        cancelSignal: ended,
        forceKillAfterDelay: 1_000,
      });
      const { pid = 0 } = child;
      if (pid > 0) this.#pids.add(pid);
      const { stdout, timedOut, isCanceled } = await child.finally(() => this.#pids.delete(pid));
      return timedOut || isCanceled ? failed(gaveUp) : answerOf(stdout ?? '');
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  }
}

const tooMany = `${mostRunning} utility calls are being answered and ${mostWaiting} wait already.`;
const gaveUp = `Claude Code did not answer within ${longestMs / 1000} s, or was not waited for.`;
const failed = (detail: string): OneShotAnswer => ({ ok: false, busy: false, detail });

const flags = (systemFile: string): string[] => [
  '--print',
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--verbose',
  '--tools',
  '',
  '--system-prompt-file',
  systemFile,
  '--strict-mcp-config',
  // The user's own: a sign-in may hang on it (`apiKeyHelper`).
  '--setting-sources',
  'user',
  '--disable-slash-commands',
  '--no-session-persistence',
  '--permission-mode',
  'dontAsk',
];

function oneShotEnv(inherited: OneShotsOptions['env']): Record<string, string> {
  const env = childEnv(inherited, { bridgeUrl: '', token: '', key: '', claude: '' });
  return {
    ...env,
    // Without it `@/etc/passwd` in a text attaches that file, tools or not (measured).
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    // A memory that the user has put elsewhere than in the working folder would be read (measured on 2.1.332).
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  };
}

/** A text that begins with `/` would be a command of Claude Code's, which a newline in front of it is not (measured). */
const block = (part: OneShotPrompt['content'][number]): object =>
  part.type === 'text'
    ? { type: 'text', text: part.text.replace(/^(?=\/)/, '\n') }
    : { type: 'image', source: { type: 'base64', media_type: part.mime, data: part.base64 } };

/** The last line says how it ended. */
function answerOf(stdout: string): OneShotAnswer {
  const read = Result.safeParse(jsonOf(stdout.trimEnd().split('\n').at(-1) ?? ''));
  if (!read.success) return failed('Claude Code ended without an answer.');
  const { is_error: isError, result } = read.data;
  if (isError) return failed(`Claude Code could not answer: ${result.slice(0, 500).toWellFormed()}`);
  return result.trim() === '' ? failed('Claude Code had nothing to say.') : { ok: true, text: result };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
