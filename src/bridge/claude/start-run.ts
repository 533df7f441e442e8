// Starts one Claude Code and waits until it can be talked to.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { newToken } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { writePrivate } from '../../base/private-file.ts';
import type { AgentReport } from '../../domain/commands.ts';
import type { Delivery, Health } from '../../protocol/events.ts';
import type { FailureCode } from '../../protocol/failures.ts';
import type { AgentSession } from '../app/ports.ts';
import { ClaudeRun } from './claude-run.ts';
import { chooseDelivery } from './delivery-choice.ts';
import type { Dialog } from './dialogs.ts';
import { endRun } from './end-run.ts';
import { readStartExit } from './exit-reading.ts';
import { findExecutable } from './find-executable.ts';
import { launchSpec } from './launch-spec.ts';
import type { AgentLimits, AgentOptions } from './options.ts';
import type { PreflightCheck } from './preflight.ts';
import { awaitReady } from './readiness.ts';
import { RunIdentity } from './run-identity.ts';
import { claimSessionDir } from './session-files.ts';
import type { OpenTerminal, TerminalExit } from './terminal-port.ts';

export type Started =
  | { kind: 'ready'; run: ClaudeRun; delivery: Delivery; health: Health[] }
  /** The process lives and waits for its operator. */
  | { kind: 'dialog'; run: ClaudeRun; dialog: Dialog; channelAsked: boolean }
  /** Somebody of ours stopped it meanwhile. */
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: FailureCode; detail: string };

export interface StartContext {
  options: AgentOptions;
  limits: AgentLimits;
  preflight: PreflightCheck;
  log: Log;
  report(report: AgentReport): void;
  /** The process exists from here on: hooks and the channel may come. */
  born(run: ClaudeRun): void;
  /** Takes the lock of another Claude session as well. */
  lock(claude: string): boolean;
  /** A question was denied, because too many are open. */
  questionRefused(): void;
  /** It is gone again, before it was ready. */
  buried(run: ClaudeRun): void;
}

export async function startRun(context: StartContext, session: AgentSession): Promise<Started> {
  const [preflight, openTerminal] = await Promise.all([
    context.preflight.run(),
    context.options.loadTerminal().catch((error: unknown) => notLoaded(context.log, error)),
  ]);
  if (typeof openTerminal !== 'function') return openTerminal;
  if (!preflight.ok) return { kind: 'failed', failure: preflight.failure, detail: preflight.detail };
  let start: 'new' | 'resume' = session.resume ? 'resume' : 'new';
  for (let attempt = 1; ; attempt += 1) {
    const result = await startOnce({ ...context, openTerminal }, session, preflight.command, start);
    if (result.kind !== 'exited') return result;
    const reading = readStartExit(result.rows, result.exit);
    if (reading.kind === 'failed') return reading;
    // Claude Code knows the id, or does not, against what we thought: the other way, once.
    if (attempt > 1) {
      return {
        kind: 'failed',
        failure: 'start_exited',
        detail: `Claude Code refuses the session id.\n${result.rows.join('\n').trim()}`,
      };
    }
    context.log.warn('starting the other way', { was: start, now: reading.start });
    start = reading.start;
  }
}

/** A package without its native part, or gone since the bridge was started. */
function notLoaded(log: Log, error: unknown): Extract<Started, { kind: 'failed' }> {
  log.error('the terminal could not be loaded', { error });
  const words = error instanceof Error ? error.message : String(error);
  const detail = `The terminal could not be loaded: ${words}\nRestart the bridge; \`synthesis doctor\` checks it.`;
  return { kind: 'failed', failure: 'start_exited', detail };
}

interface SpawnContext extends StartContext {
  openTerminal: OpenTerminal;
}

type Once = Started | { kind: 'exited'; rows: string[]; exit: TerminalExit };

async function startOnce(
  context: SpawnContext,
  session: AgentSession,
  command: readonly [string, ...string[]],
  start: 'new' | 'resume',
): Promise<Once> {
  const spawned = spawn(context, session, command, start);
  if (spawned.kind === 'failed') return spawned;
  const { run, channelAsked } = spawned;
  context.born(run);
  const { limits, options } = context;
  const readiness = await awaitReady(run, options.channels?.development === true, limits.startMs);
  if (run.stopping !== undefined) return { kind: 'stopped' };
  switch (readiness.kind) {
    case 'ready':
      return ready(run, session, channelAsked, readiness.health);
    case 'dialog':
      return { kind: 'dialog', run, dialog: readiness.dialog, channelAsked };
    case 'exited':
      context.buried(run);
      return { kind: 'exited', rows: run.terminal.rows(), exit: readiness.exit };
    case 'timeout':
      await endRun(run, 'not ready in time', true);
      context.buried(run);
      return { kind: 'failed', failure: readiness.failure, detail: readiness.detail };
    default:
      return readiness satisfies never;
  }
}

/** Ready, with the road on which messages travel. */
export async function ready(
  run: ClaudeRun,
  session: AgentSession,
  channelAsked: boolean,
  health: Health[],
): Promise<Started> {
  const choice = await chooseDelivery(run, session.launch.delivery, channelAsked);
  return { kind: 'ready', run, delivery: choice.delivery, health: [...health, ...choice.health] };
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

type Spawned =
  | { kind: 'spawned'; run: ClaudeRun; channelAsked: boolean }
  | Extract<Started, { kind: 'failed' }>;

function spawn(
  { options, limits, log, report, openTerminal, lock, questionRefused }: SpawnContext,
  session: AgentSession,
  command: readonly [string, ...string[]],
  start: 'new' | 'resume',
): Spawned {
  const { cwd } = session.launch;
  if (!isDirectory(cwd)) {
    return {
      kind: 'failed',
      failure: 'start_exited',
      detail: `The working directory ${cwd} does not exist.`,
    };
  }
  const token = newToken();
  const isUsed = (claude: string) => options.ownerOf(claude) !== undefined;
  try {
    const dir = claimSessionDir(options.stateDir, session.key);
    const poster = findExecutable('curl', options.env.PATH) ? 'curl' : 'node';
    const { stateDir: _stateDir, claudeCommand: _command, env, ...paths } = options;
    const channels = options.channels ?? {};
    const spec = launchSpec({
      ...paths,
      session,
      start,
      command,
      inherited: env,
      token,
      dir,
      channels,
      poster,
      allow: options.allowFor?.(session.key) ?? [],
    });
    for (const { name, content } of spec.files) writePrivate(join(dir, name), content);
    const { cols, rows } = limits;
    const terminal = openTerminal({ argv: spec.argv, env: spec.env, cwd: spec.cwd, cols, rows });
    const run = new ClaudeRun({
      clock: options.clock,
      log,
      limits,
      terminal,
      token,
      ...(spec.editable && { editorDir: dir }),
      identity: new RunIdentity({ claude: session.claude, isUsed, lock, log }),
      tools: session.tools,
      localTools: options.localTools?.of(session.key),
      mode: session.launch.permissionMode,
      relays: spec.channelAsked,
      claimCode: options.claimCode,
      judge: (call) => options.judge(session.key, call),
      joins: () => options.joins(session.key),
      report,
      questionRefused,
      reported: options.reported,
    });
    log.info('Claude Code started', { pid: terminal.pid, start });
    return { kind: 'spawned', run, channelAsked: spec.channelAsked };
  } catch (error) {
    log.error('Claude Code could not be spawned', { error });
    const detail = `Claude Code could not be started in ${cwd}: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: 'failed', failure: 'start_exited', detail };
  }
}
