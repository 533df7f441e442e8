import type { Log } from '../../base/log.ts';
import { systemClock } from '../../base/time/clock.ts';
import { joinable } from '../../domain/message/steer.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { ClaudeIds } from '../app/claude-ids.ts';
import type { Codes } from '../app/desks/codes.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { promptOf } from '../app/prompt-of.ts';
import { ReportIntake } from '../app/report-intake.ts';
import { ClaudeAgent } from '../claude/claude-agent.ts';
import type { StartHost } from '../claude/host-port.ts';
import { otherSessionRules } from '../claude/launch/other-session-rules.ts';
import { denyRules, readRules } from '../claude/launch/own-file-rules.ts';
import type { LocalToolShelf } from '../claude/options.ts';
import { claudeCommand } from '../claude-command.ts';
import { containAccess } from '../contain-access.ts';
import { mediaFolder } from '../media-store.ts';
import type { OwnFiles } from '../own-files.ts';
import { sharesMemory } from '../profiles.ts';
import { sandboxAccess } from '../sandbox-access.ts';
import { sessionJudge } from './session-judge.ts';

export interface ClaudeAgentOptions {
  config: Config & { cwd: string };
  log: Log;
  dispatcher: Dispatcher;
  codes: Codes;
  claudeIds: ClaudeIds;
  stateDir: string;
  /** The control socket. */
  controlPath: string;
  own: OwnFiles;
  localTools: LocalToolShelf;
  loadHosts(): Promise<StartHost>;
  /** As in `AgentOptions`. */
  leaseOf?(key: string): number | undefined;
  /** As in `AgentOptions`. */
  stopped?(): string | undefined;
  /** Where Claude Code's hooks and channel servers find the bridge. */
  baseUrl: string;
  /** The channel server's program. */
  channelEntry: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What starts a Claude Code for each session, and hears from it. */
export function claudeAgent(options: ClaudeAgentOptions): ClaudeAgent {
  const { config, dispatcher, codes, claudeIds, own, controlPath, ...shared } = options;
  const judge = sessionJudge(config, dispatcher);
  const { limits, timeouts } = config;
  return new ClaudeAgent({
    ...shared,
    clock: systemClock,
    report: new ReportIntake(dispatcher, shared.log).take,
    reported: (key) => dispatcher.stored(key),
    session: (key) => dispatcher.session(key),
    claimCode: (wanted) => codes.claim(wanted),
    ownerOf: (claude) => claudeIds.ownerOf(claude),
    judge,
    joins: (key) => {
      const session = dispatcher.session(key);
      return (session && joinable(session)?.joins.map((turn) => promptOf(turn, 1))) ?? [];
    },
    policed: config.policy.length > 0,
    claudeCommand: claudeCommand(config.claude),
    nodePath: process.execPath,
    channels: config.channels,
    denyFor: ({ key, claude }) => [
      ...denyRules(own.stateDir, [...own.files, own.claude.credentials]),
      ...otherSessionRules({
        claudeFolder: own.claude.folder,
        tmp: options.env.CLAUDE_CODE_TMPDIR || options.env.TMPDIR || '/tmp',
        stateDir: own.stateDir,
        key,
        claude,
      }),
    ],
    sharesMemory: (key) => sharesMemory(config, key),
    accessFor: (key) => sandboxAccess(config, key, { own, controlPath, env: options.env }),
    containFor: (key) => containAccess(config, key, { own, controlPath, env: options.env }),
    allowFor: (key) => readRules(own.stateDir, mediaFolder(key)),
    limits: {
      maxLive: limits.liveSessions,
      idleMs: timeouts.idleMs,
      startMs: timeouts.startMs,
      permissionMs: timeouts.permissionMs,
      stalledMs: timeouts.stalledMs,
      openQuestions: limits.openQuestions,
      graceMs: config.hosts.graceMs,
      inboundLimit: limits.queuedMessages,
    },
  });
}
