// The settings file that makes Claude Code tell us what happens. Timeouts in seconds.
import { WireEnv } from '../../protocol/wire.ts';

/**
 * Events over HTTP and how long Claude Code waits for our `{}`. Hooks fail open, so the short ones cost at most their
 * timeout; a permission question is held until somebody answers (620 s measured; the day is our own upper bound).
 */
const httpHooks: Readonly<Record<string, number>> = {
  UserPromptSubmit: 5,
  MessageDisplay: 5,
  PreToolUse: 5,
  PermissionRequest: 86_400,
  PostToolUse: 5,
  PostToolUseFailure: 5,
  Notification: 5,
  Stop: 5,
  StopFailure: 5,
  PreCompact: 5,
  PostCompact: 5,
  SessionEnd: 1,
};

export interface HookTarget {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  baseUrl: string;
  /** Directory of the session's files. */
  dir: string;
  /** How a command hook posts its standard input. */
  poster: 'curl' | 'node';
  nodePath: string;
  /** Rules of `permissions.deny`. */
  deny?: readonly string[];
  /** Rules of `permissions.allow`. */
  allow?: readonly string[];
  /** The policy has rules, which a tool must not run without. */
  policed: boolean;
}

/** The value of `--settings`. */
export function hookSettings(target: HookTarget): Record<string, unknown> {
  const http = Object.entries(httpHooks).map(([event, timeout]) => [
    event,
    [{ hooks: [httpHook(target, event, timeout)] }],
  ]);
  return {
    // Left on an empty prompt would send the session to the background, away from our terminal.
    disableAgentView: true,
    permissions: { allow: target.allow ?? [], deny: target.deny ?? [] },
    hooks: {
      // SessionStart takes command handlers only; an HTTP one is ignored silently.
      SessionStart: [
        { hooks: [{ type: 'command', command: postCommand(target, 'SessionStart'), timeout: 10 }] },
      ],
      ...Object.fromEntries(http),
      ...(target.policed && {
        PreToolUse: [{ hooks: [{ type: 'command', command: askCommand(target), timeout: askSeconds + 5 }] }],
      }),
    },
    statusLine: {
      type: 'command',
      command: `${postCommand(target, 'StatusLine')}; printf synthesis`,
      padding: 0,
    },
  };
}

const httpHook = (target: HookTarget, event: string, timeout: number): Record<string, unknown> => ({
  type: 'http',
  url: `${target.baseUrl}/hooks/${event}`,
  headers: { Authorization: `Bearer $${WireEnv.bridgeToken}` },
  // A variable that is not named here becomes empty.
  allowedEnvVars: [WireEnv.bridgeToken],
  timeout,
});

export const curlConfigFile = 'hook.curlrc';
export const posterFile = 'post-hook.mjs';

/** A shell command that posts its standard input to us. The token comes from a file or the environment, never argv. */
function postCommand(target: HookTarget, event: string): string {
  const url = quote(`${target.baseUrl}/hooks/${event}`);
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
  const url = quote(`${target.baseUrl}/hooks/PreToolUse`);
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
