// The agent of launchd: settings → property list, and back.
import { join } from 'node:path';
import { argumentsOf, pathOf, ServiceSettings } from './settings.ts';

export const agentLabel = 'synthesis-agent.bridge';

/** What the bridge says at its starts and ends. In a folder that every Mac has: launchd makes none. */
export const agentLog = (home: string): string => join(home, 'Library/Logs/synthesis.log');

/** @returns false for what XML cannot hold, or no path should: an end of line, another control character, half a pair */
export const fitsAgent = (text: string): boolean => !/[\p{Cc}\p{Cs}\ufffe\uffff]/u.test(text);

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

function xml(value: Value, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return `${indent}<string>${escaped(value)}</string>`;
  if (typeof value === 'number') return `${indent}<integer>${value}</integer>`;
  if (typeof value === 'boolean') return `${indent}<${value}/>`;
  const isList = Array.isArray(value);
  const lines = isList
    ? value.map((each) => xml(each, inner))
    : Object.entries(value).map(([key, each]) => `${inner}<key>${escaped(key)}</key>\n${xml(each, inner)}`);
  const tag = isList ? 'array' : 'dict';
  return [`${indent}<${tag}>`, ...lines, `${indent}</${tag}>`].join('\n');
}

const [before, after] = ['<!-- settings: ', ' -->'];

/** Nothing in a comment may be `--`; in the strings of JSON it has another spelling. */
const comment = (settings: ServiceSettings): string =>
  `${before}${JSON.stringify(settings).replaceAll('--', '-\\u002d')}${after}`;

/**
 * Hosts of Claude Code are in process groups of their own: when the bridge ends, launchd ends what else is in that of
 * the bridge, but no Claude Code.
 */
export function agentText(settings: ServiceSettings): string {
  const { node, cwd, home, env, session } = settings;
  const keys: Value = {
    Label: agentLabel,
    ProgramArguments: [node, ...argumentsOf(settings)],
    EnvironmentVariables: { PATH: pathOf(settings), ...env },
    WorkingDirectory: cwd,
    ...(session === undefined ? {} : { LimitLoadToSessionType: session }),
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    // launchd knows no exit code after which it would leave it: at most two starts a minute, then.
    ThrottleInterval: 30,
    ExitTimeOut: 30,
    // Any other is slowed down, and Claude Code with it.
    ProcessType: 'Interactive',
    StandardOutPath: agentLog(home),
    StandardErrorPath: agentLog(home),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Made by \`synthesis service install\`, which also brings it up to date. -->
${comment(settings)}
<plist version="1.0">
${xml(keys, '')}
</plist>
`;
}

/** @returns undefined for an agent that somebody else has written */
export function agentSettings(text: string): ServiceSettings | undefined {
  const line = text.split('\n').find((each) => each.startsWith(before) && each.endsWith(after));
  if (line === undefined) return undefined;
  try {
    return ServiceSettings.parse(JSON.parse(line.slice(before.length, -after.length)), { jitless: true });
  } catch {
    return undefined;
  }
}
