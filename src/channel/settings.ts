import { WireEnv } from '../protocol/wire/wire.ts';

export interface LinkSettings {
  /** WebSocket URL of the bridge. */
  url: string;
  token: string;
  openclawSession: string;
  claudeSession: string;
}

export type Settings = {
  /** Milliseconds that a call outlives a lost bridge. */
  offlineMs: number;
} & ({ kind: 'linked'; link: LinkSettings } | { kind: 'unlinked'; reason: string });

/** How long a call may wait without a bridge, milliseconds; addition to the four variables of the protocol. */
const offlineVariable = 'SYNTHESIS_CALL_OFFLINE_MS';
const defaultOfflineMs = 10 * 60_000;

type Env = Record<string, string | undefined>;

/** Reads the environment. Whatever is wrong with it is told in words, never thrown: Claude Code does not
 *  restart a dead MCP server, so a living one that explains itself is worth more. */
export function readSettings(env: Env): Settings {
  const offlineMs = milliseconds(env[offlineVariable]) ?? defaultOfflineMs;
  const link: LinkSettings = {
    url: env[WireEnv.bridgeUrl] ?? '',
    token: env[WireEnv.bridgeToken] ?? '',
    openclawSession: env[WireEnv.openclawSession] ?? '',
    // Only for traceability, and Claude Code tells its children the same id itself.
    claudeSession: env[WireEnv.claudeSession] || env.CLAUDE_CODE_SESSION_ID || '',
  };
  const missing = [
    { name: WireEnv.bridgeUrl, value: link.url },
    { name: WireEnv.bridgeToken, value: link.token },
    { name: WireEnv.openclawSession, value: link.openclawSession },
    { name: WireEnv.claudeSession, value: link.claudeSession },
  ]
    .filter(({ value }) => value === '')
    .map(({ name }) => name);
  if (missing.length > 0) return { kind: 'unlinked', offlineMs, reason: notStartedByBridge(missing) };
  if (!isWebSocketUrl(link.url)) {
    const reason = `${WireEnv.bridgeUrl} is not a ws:// URL. Let \`synthesis up\` start this session.`;
    return { kind: 'unlinked', offlineMs, reason };
  }
  return { kind: 'linked', offlineMs, link };
}

const notStartedByBridge = (missing: string[]): string =>
  `This session was not started by the synthesis bridge: ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not set. ` +
  'Start it with `synthesis up`, or remove the synthesis MCP server from this configuration.';

function isWebSocketUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'ws:' || protocol === 'wss:';
}

function milliseconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
