// Starts one Claude Code and waits until it can be talked to.
import { join } from 'node:path';
import { hashId } from '../../../base/digest.ts';
import { folderFault } from '../../../base/files/folder-fault.ts';
import { writePrivate } from '../../../base/files/private-file.ts';
import { newId, newToken } from '../../../base/ids.ts';
import type { Log } from '../../../base/log.ts';
import type { Health } from '../../../protocol/events/events.ts';
import type { FailureCode } from '../../../protocol/events/failures.ts';
import type { Delivery } from '../../../protocol/settings/delivery.ts';
import type { AgentSession } from '../../app/ports.ts';
import type { ClaudeRun } from '../claude-run.ts';
import type { ContainFault } from '../contain/contain-fault.ts';
import type { MadeRoom } from '../contain/make-room.ts';
import { switchedOff } from '../hooks/hooks-off.ts';
import type { Host, StartHost } from '../host-port.ts';
import { type ClaudeSettings, claudeSettings } from '../launch/claude-settings.ts';
import { chooseDelivery } from '../launch/delivery-choice.ts';
import { launchInput, markOf } from '../launch/launch-input.ts';
import { launchSpec } from '../launch/launch-spec.ts';
import { claimMemoryFolder } from '../launch/memory-folder.ts';
import { claimSessionDir } from '../launch/session-files.ts';
import { type SandboxFault, sandboxFault } from '../sandbox/sandbox-fault.ts';
import type { Dialog } from '../screen/dialogs.ts';
import { readStartExit } from '../screen/exit-reading.ts';
import type { TerminalExit } from '../terminal-port.ts';
import { endRun } from './end-run.ts';
import { newRun, type RunContext } from './new-run.ts';
import type { Preflight, PreflightCheck } from './preflight.ts';
import { awaitReady } from './readiness.ts';
import { writeMemo } from './run-memo.ts';

export type Started =
  | { kind: 'ready'; run: ClaudeRun; delivery: Delivery; health: Health[] }
  /** The process lives and waits for its operator. */
  | { kind: 'dialog'; run: ClaudeRun; dialog: Dialog; channelAsked: boolean }
  /** Somebody of ours stopped it meanwhile. */
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: FailureCode; detail: string };

export interface StartContext extends RunContext {
  preflight: PreflightCheck;
  /** Of the host that is started, as it was reported. */
  name: string;
  /** Its process is about to be started. @returns why it must not be, in words */
  hold(host: Host): string | undefined;
  /** The process exists from here on: hooks and the channel may come. */
  born(run: ClaudeRun): void;
  /** It is gone again, before it was ready. */
  buried(run: ClaudeRun): void;
}

export async function startRun(context: StartContext, session: AgentSession): Promise<Started> {
  const { env } = context.options;
  const [preflight, settings, startHost] = await Promise.all([
    context.preflight.run(),
    claudeSettings(env, [session.launch.cwd]),
    context.options.loadHosts().catch((error: unknown) => notLoaded(context.log, error)),
  ]);
  if (typeof startHost !== 'function') return startHost;
  if (!preflight.ok) return { kind: 'failed', failure: preflight.failure, detail: preflight.detail };
  const switched = switchedOff(settings);
  if (switched !== undefined)
    return { kind: 'failed', failure: 'hooks_off', detail: `disableAllHooks in ${switched}` };
  const { sandbox = 'off', contain = 'off' } = session.launch;
  const { room, loose } = contain === 'off' ? {} : await madeRoom(context, session, preflight.command);
  if (loose && contain === 'required')
    return { kind: 'failed', failure: 'contain_unavailable', detail: `${loose.words} ${loose.remedy}` };
  const unsafe = sandbox === 'off' ? undefined : await sandboxFault(env, settings, room?.prefix);
  if (unsafe && sandbox === 'required')
    return { kind: 'failed', failure: 'sandbox_unavailable', detail: `${unsafe.words} ${unsafe.remedy}` };
  let start: 'new' | 'resume' = session.resume ? 'resume' : 'new';
  let { name } = context;
  for (let attempt = 1; ; attempt += 1) {
    const result = await startOnce(
      { ...context, name, startHost, settings, unsafe, room, loose },
      session,
      preflight,
      start,
    );
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
    name = newId('r');
    context.report({ type: 'agent.starting', run: name });
  }
}

/** A package without its native part, or gone since the bridge was started. */
function notLoaded(log: Log, error: unknown): Extract<Started, { kind: 'failed' }> {
  log.error('the terminal could not be loaded', { error });
  const words = error instanceof Error ? error.message : String(error);
  const detail = `The terminal could not be loaded: ${words}\nRestart the bridge; \`synthesis doctor\` checks it.`;
  return { kind: 'failed', failure: 'start_exited', detail };
}

const sandboxHealth = ({ words, remedy }: SandboxFault): Health => ({
  code: 'sandbox_unavailable',
  words: `Commands run without a sandbox. ${words} ${remedy}`,
});

const containHealth = ({ words, remedy }: ContainFault): Health => ({
  code: 'contain_unavailable',
  words: `Claude Code runs as you, not contained. ${words} ${remedy}`,
});

interface SpawnContext extends StartContext {
  startHost: StartHost;
  /** Claude Code's, as they are at this start. */
  settings: readonly ClaudeSettings[];
  /** Commands are to run in a sandbox, and do not. */
  unsafe: SandboxFault | undefined;
  /** Where it is contained. */
  room: MadeRoom | undefined;
  /** It was to be contained, and is not. */
  loose: ContainFault | undefined;
}

/** Claude Code, as it was found. */
type Program = Extract<Preflight, { ok: true }>;

type Once = Started | { kind: 'exited'; rows: string[]; exit: TerminalExit };

async function startOnce(
  context: SpawnContext,
  session: AgentSession,
  program: Program,
  start: 'new' | 'resume',
): Promise<Once> {
  const spawned = await spawn(context, session, program, start);
  if (spawned.kind === 'failed') return spawned;
  const { run, channelAsked } = spawned;
  context.born(run);
  run.listen();
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
    case 'timeout': {
      if (!run.sessionStarted) await run.lookAtHooks();
      await endRun(run, 'not ready in time', true);
      context.buried(run);
      if (run.hooksOff !== undefined) return { kind: 'failed', failure: 'hooks_off', detail: run.hooksOff };
      return { kind: 'failed', failure: readiness.failure, detail: readiness.detail };
    }
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
  const all = [...run.health, ...health, ...choice.health];
  return { kind: 'ready', run, delivery: choice.delivery, health: all };
}

/** Loaded where a session is to be contained. */
async function madeRoom(
  { options }: StartContext,
  session: AgentSession,
  command: readonly string[],
): Promise<{ room?: MadeRoom; loose?: ContainFault }> {
  const { makeRoom } = await import('../contain/make-room.ts');
  const made = await makeRoom(options, session, command);
  return 'words' in made ? { loose: made } : { room: made };
}

type Spawned =
  | { kind: 'spawned'; run: ClaudeRun; channelAsked: boolean }
  | Extract<Started, { kind: 'failed' }>;

async function spawn(
  context: SpawnContext,
  session: AgentSession,
  { command, version }: Program,
  start: 'new' | 'resume',
): Promise<Spawned> {
  const { options, limits, log, name, startHost, settings, unsafe, room, loose } = context;
  const { cwd, sandbox = 'off' } = session.launch;
  const fault = await folderFault(cwd);
  if (fault !== undefined) return { kind: 'failed', failure: 'folder_unusable', detail: `${cwd} ${fault}.` };
  const token = newToken();
  let host: Host | undefined;
  try {
    const dir = claimSessionDir(options.stateDir, session.key);
    claimMemoryFolder(options.stateDir, session.key);
    host = await startHost(dir, name);
    const inputs = launchInput(options, session, dir, settings);
    const spec = launchSpec({ ...inputs, start, command, token, hooksUrl: host.hooksUrl });
    for (const file of spec.files) writePrivate(join(dir, file.name), file.content);
    const { argv, env, cwd } = room ? room.started(spec) : spec;
    const refusal = context.hold(host);
    if (refusal !== undefined) throw new Error(refusal);
    const terminal = await host.start(
      { argv, env, cwd, cols: limits.cols, rows: limits.rows, ...(room && { contained: true }) },
      token,
    );
    const { editable, channelAsked: relays } = spec;
    const { policed } = options;
    const mark = markOf(options, inputs);
    const sandboxed = sandbox !== 'off' && !unsafe;
    const memo = { editable, relays, served: !relays, policed, sandboxed, mark, ...(version && { version }) };
    host.remember(writeMemo(memo));
    const run = newRun(context, session, {
      host,
      terminal,
      name,
      digest: hashId(token, 64),
      memo,
      dir,
      health: [...(loose ? [containHealth(loose)] : []), ...(unsafe ? [sandboxHealth(unsafe)] : [])],
    });
    log.info('Claude Code started', { pid: terminal.pid, start });
    return { kind: 'spawned', run, channelAsked: spec.channelAsked };
  } catch (error) {
    void host?.quit();
    log.error('Claude Code could not be spawned', { error });
    const detail = `Claude Code could not be started in ${cwd}: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: 'failed', failure: 'start_exited', detail };
  }
}
