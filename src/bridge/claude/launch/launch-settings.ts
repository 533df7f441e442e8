// The settings file that makes Claude Code tell us what happens. Timeouts in seconds.
import type { HookKind } from '../../../protocol/wire/host.ts';
import { WireEnv } from '../../../protocol/wire/wire.ts';
import { messageTool } from '../hooks/foreign-message.ts';
import type { PinnedSettings } from './pinned-settings.ts';

/**
 * Events over HTTP, how the host answers each (see `HookKind`), and how long Claude Code waits for that. Hooks fail open,
 * so the short ones cost at most their timeout; a permission question is held until somebody answers (620 s measured; the
 * day is our own upper bound).
 */
const httpHooks: Readonly<Record<string, readonly [HookKind, seconds: number]>> = {
  UserPromptSubmit: ['hold', 5],
  MessageDisplay: ['tell', 5],
  PreToolUse: ['tell', 5],
  PermissionRequest: ['hold', 86_400],
  PostToolUse: ['ask', 5],
  PostToolUseFailure: ['ask', 5],
  PostToolBatch: ['tell', 5],
  SubagentStart: ['tell', 5],
  SubagentStop: ['tell', 5],
  Notification: ['tell', 5],
  Stop: ['tell', 5],
  StopFailure: ['tell', 5],
  PreCompact: ['tell', 5],
  PostCompact: ['tell', 5],
  ConfigChange: ['tell', 5],
  SessionEnd: ['tell', 1],
};

export interface HookTarget {
  /** `http://127.0.0.1:PORT` of the host, without a slash at the end. */
  hooksUrl: string;
  /** Directory of the session's files. */
  dir: string;
  /** How a command hook posts its standard input. */
  poster: 'curl' | 'node';
  nodePath: string;
  /** Rules of `permissions.deny`. */
  deny?: readonly string[];
  /** Rules of `permissions.allow`. */
  allow?: readonly string[];
  /** Folder of Claude Code's automatic memory; absent: the one that it shares among the sessions of a folder. */
  memory?: string;
  /** The policy has rules, which a tool must not run without. */
  policed: boolean;
}

/**
 * Tools that Claude is not offered (measured on 2.1.332: absent from the request). `ListAgents` names the other sessions
 * of the user; the rest promise a wake-up, which never comes with CLAUDE_CODE_DISABLE_CRON.
 */
const deniedTools = ['ListAgents', 'ScheduleWakeup', 'CronCreate', 'CronDelete', 'CronList'];

/** Returns the value of `--settings`. @param pinned what stands whatever the user's settings say */
export function launchSettings(target: HookTarget, pinned: PinnedSettings): Record<string, unknown> {
  const http = Object.fromEntries(
    Object.entries(httpHooks).map(([event, [kind, timeout]]) => [
      event,
      [{ hooks: [httpHook(hookUrl(target, kind, event), timeout)] }],
    ]),
  );
  const ask = { hooks: [{ type: 'command', command: askCommand(target), timeout: askSeconds + 5 }] };
  return {
    ...pinned,
    permissions: {
      ...pinned.permissions,
      allow: target.allow ?? [],
      deny: [...deniedTools, ...(target.deny ?? [])],
    },
    // The consolidation reads the transcripts of every session of the folder.
    ...(target.memory !== undefined && { autoMemoryDirectory: target.memory, autoDreamEnabled: false }),
    hooks: {
      // SessionStart takes command handlers only; an HTTP one is ignored silently.
      SessionStart: [
        { hooks: [{ type: 'command', command: postCommand(target, 'SessionStart'), timeout: 10 }] },
      ],
      ...http,
      PreToolUse: target.policed ? [ask] : [...(http.PreToolUse ?? []), { matcher: messageTool, ...ask }],
    },
    statusLine: {
      type: 'command',
      command: `${postCommand(target, 'StatusLine')}; printf synthesis`,
      padding: 0,
    },
  };
}

const hookUrl = ({ hooksUrl }: HookTarget, kind: HookKind, event: string): string =>
  `${hooksUrl}/hooks/${kind}/${event}`;

const httpHook = (url: string, timeout: number): Record<string, unknown> => ({
  type: 'http',
  url,
  headers: { Authorization: `Bearer $${WireEnv.bridgeToken}` },
  // A variable that is not named here becomes empty.
  allowedEnvVars: [WireEnv.bridgeToken],
  timeout,
});

export const curlConfigFile = 'hook.curlrc';
export const posterFile = 'post-hook.mjs';

/** A shell command that posts its standard input to us. The token comes from a file or the environment, never argv. */
function postCommand(target: HookTarget, event: string): string {
  const url = quote(hookUrl(target, 'tell', event));
  return target.poster === 'curl'
    ? `curl -q -sS -m 5 -o /dev/null -K ${quote(`${target.dir}/${curlConfigFile}`)} --data-binary @- ${url} 2>/dev/null`
    : `${quote(target.nodePath)} ${quote(`${target.dir}/${posterFile}`)} ${url} 2>/dev/null`;
}

/** How long a tool waits for the policy. It is answered at once; only a bridge that hangs takes longer. */
const askSeconds = 25;

/**
 * A hook over HTTP that fails lets the tool run (measured on 2.1.329). A command that exits with 2 does not, so the
 * policy is asked by one: no answer is a no.
 */
function askCommand(target: HookTarget): string {
  const url = quote(hookUrl(target, 'hold', 'PreToolUse'));
  const ask =
    target.poster === 'curl'
      ? `curl -q -sS -f -m ${askSeconds} -K ${quote(`${target.dir}/${curlConfigFile}`)} --data-binary @- ${url} 2>/dev/null`
      : `${quote(target.nodePath)} ${quote(`${target.dir}/${posterFile}`)} ${url} 2>/dev/null`;
  const words = 'The policy could not be asked, so nothing was run. The bridge may be down.';
  return `${ask} || { echo ${quote(words)} >&2; exit 2; }`;
}

/** Read by curl with `-K`. */
export const curlConfig = (token: string): string =>
  [
    'noproxy = "*"',
    'header = "content-type: application/json"',
    `header = "authorization: Bearer ${token}"`,
    '',
  ].join('\n');

/** For a machine without curl. */
export const posterSource = `import { text } from 'node:stream/consumers';
const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.${WireEnv.bridgeToken} };
const answer = await fetch(process.argv[2], { method: 'POST', headers, body: await text(process.stdin), signal: AbortSignal.timeout(5000) });
if (!answer.ok) process.exit(1);
if (process.argv[2].endsWith('/PreToolUse')) process.stdout.write(await answer.text());
`;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
