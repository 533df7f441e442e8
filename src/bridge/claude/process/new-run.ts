// What the bridge has of a Claude Code that lives: one that it has started, or one that outlived the bridge before.
import type { Log } from '../../../base/log.ts';
import { runMark } from '../../../base/process/run-mark.ts';
import type { AgentReport } from '../../../domain/commands.ts';
import { inSandbox } from '../../../domain/policy/call.ts';
import type { Health } from '../../../protocol/events/events.ts';
import type { AgentSession } from '../../app/ports.ts';
import { ClaudeRun } from '../claude-run.ts';
import { hooksOff } from '../hooks/hooks-off.ts';
import type { Host, LivingHost } from '../host-port.ts';
import { readKeyBindings } from '../keys/key-bindings.ts';
import { promptKeys } from '../keys/prompt-keys.ts';
import type { KnownRun } from '../known-run.ts';
import { claudeSettings } from '../launch/claude-settings.ts';
import { launchInput, markOf } from '../launch/launch-input.ts';
import { editorFolder } from '../launch/launch-spec.ts';
import { claimSessionDir } from '../launch/session-files.ts';
import type { AgentLimits, AgentOptions } from '../options.ts';
import { RunIdentity } from '../run-identity.ts';
import { sandboxGap } from '../sandbox/sandbox-fault.ts';
import type { BoxLayout } from '../screen/box-layout.ts';
import type { Terminal } from '../terminal-port.ts';
import type { KnownLayouts } from './known-layouts.ts';
import { type RunMemo, readMemo, writeMemo } from './run-memo.ts';
import { unprovenHealth } from './unproven-health.ts';

export interface RunContext {
  options: AgentOptions;
  limits: AgentLimits;
  log: Log;
  /** How releases draw their prompt box. */
  layouts: KnownLayouts;
  report(report: AgentReport, heard?: number): void;
  /** Takes the lock of another Claude session as well. */
  lock(claude: string): boolean;
  /** A question was denied, because too many are open. */
  questionRefused(): void;
  /** Something is wrong with it from now on, whether or not it is ready yet. */
  unwell(health: Health): void;
}

interface RunParts {
  host: Host;
  terminal: Terminal;
  /** Of the host. */
  name: string;
  digest: string;
  memo: RunMemo;
  dir: string;
  known?: KnownRun;
  /** Known before it was started. */
  health?: readonly Health[];
}

export function newRun(context: RunContext, session: AgentSession, parts: RunParts): ClaudeRun {
  const { options, limits, log, layouts, report, lock, questionRefused, unwell } = context;
  const { host, terminal, name, digest, memo, dir, known, health = [] } = parts;
  const isUsed = (claude: string) => options.ownerOf(claude) !== undefined;
  let remembered = memo;
  let { sandboxed } = memo;
  const settingsNow = async () => {
    const settings = await claudeSettings(options.env, [session.launch.cwd]);
    // Whether the Claude Code that runs has read it yet, nobody tells.
    if (sandboxGap(settings)) sandboxed = undefined;
    return settings;
  };
  const remember = (more: Partial<RunMemo>) => {
    remembered = { ...remembered, ...more };
    host.remember(writeMemo(remembered));
  };
  const located = (transcript: string) => remember({ transcript });
  const learned = (layout: BoxLayout) => {
    layouts.learned(memo.version, layout);
    remember({ layout });
  };
  const { claude } = session;
  return new ClaudeRun({
    clock: options.clock,
    log,
    limits,
    host,
    terminal,
    digest,
    mark: runMark(dir, name),
    ...(memo.editable && { editorDir: editorFolder(dir, session) }),
    identity: new RunIdentity({ claude, isUsed, lock, transcript: memo.transcript, located, log }),
    tools: session.tools,
    localTools: options.localTools?.of(session.key),
    mode: session.launch.permissionMode,
    relays: memo.relays,
    ...(memo.served && { served: name }),
    known,
    health,
    layout: memo.layout ?? layouts.of(memo.version),
    learned,
    session: () => options.session(session.key),
    claimCode: options.claimCode,
    judge: (call) => options.judge(session.key, inSandbox(call, sandboxed)),
    joins: () => options.joins(session.key),
    report,
    questionRefused,
    unproven: (count) => unwell(unprovenHealth(session.key, count)),
    keys: async () => promptKeys(await readKeyBindings(options.env, memo.version)),
    hooksOff: async () => hooksOff(await settingsNow()),
    reported: () => options.reported(session.key),
  });
}

/** A Claude Code that outlived the bridge before. `isOutdated`: it is not what would be started now; never rejects. */
export function adoptRun(
  context: RunContext,
  session: AgentSession,
  { host, terminal, run: name, token }: LivingHost,
  known: KnownRun,
): { run: ClaudeRun; isOutdated: Promise<boolean> } {
  const { options, limits, log } = context;
  const dir = claimSessionDir(options.stateDir, session.key);
  const memo = readMemo(host.memo);
  // Whoever drove it is gone, and had another size.
  terminal.resize(limits.cols, limits.rows);
  const run = newRun(context, session, { host, terminal, name, digest: token, memo, dir, known });
  const isOutdated = claudeSettings(options.env, [session.launch.cwd])
    .then((settings) => markOf(options, launchInput(options, session, dir, settings)) !== memo.mark)
    .catch((error: unknown) => {
      log.warn('how Claude Code would be started now is not known', { error });
      return false;
    });
  return { run, isOutdated };
}
