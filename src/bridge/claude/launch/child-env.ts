// The environment of Claude Code is an allow-list: whatever else the bridge was started with (tokens of other programs,
// markers of a Claude Code around us) stays here, because the model's own shell can read it.
import { WireEnv } from '../../../protocol/wire/wire.ts';

const exact = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'COLORTERM',
  'EDITOR',
  'VISUAL',
  'SSH_AUTH_SOCK',
  'GPG_TTY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'ENABLE_TOOL_SEARCH',
  'DO_NOT_TRACK',
  'BASH_DEFAULT_TIMEOUT_MS',
  'BASH_MAX_TIMEOUT_MS',
  'BASH_MAX_OUTPUT_LENGTH',
]);

/** What a user's own Claude Code may need: its settings, and credentials of the providers it can use. */
const prefixes = [
  'LC_',
  'XDG_',
  'ANTHROPIC_',
  'CLAUDE_CODE_',
  'CLAUDE_CONFIG_DIR',
  'DISABLE_',
  'MAX_THINKING_TOKENS',
  'MCP_',
  'API_TIMEOUT_MS',
  'AWS_',
  'GOOGLE_',
  'GCLOUD_',
  'CLOUD_ML_REGION',
  'VERTEX_',
  'AZURE_',
  'OTEL_',
  // The simulated Claude Code takes its script from these.
  'SIM_',
];

/**
 * Set by a Claude Code for its own children. Inherited, they make the new one take itself for a nested session, which
 * drops persistence (measured on 2.1.329).
 */
const nesting = new Set([
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CODE_TASK_LIST_ID',
  'CLAUDE_CODE_AGENT_NAME',
  'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS',
  'CLAUDE_CODE_CHILD_NOTES_DIR',
  'CLAUDE_CODE_REMOTE',
  'CLAUDE_CODE_REMOTE_SESSION_ID',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_JOB_DIR',
  'CLAUDE_PID',
  'CLAUDE_ENV_FILE',
  // Would move the memory out of the folder that it is given.
  'CLAUDE_CODE_REMOTE_MEMORY_DIR',
  // These would make our reading of its screen and title blind.
  'CLAUDE_CODE_DISABLE_TERMINAL_TITLE',
]);

const allowed = (name: string): boolean =>
  !nesting.has(name) && (exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix)));

export interface BridgeAddress {
  /** `ws://127.0.0.1:PORT/bridge` */
  bridgeUrl: string;
  /** Secret of this run of this session. */
  token: string;
  /** Session key. */
  key: string;
  /** Claude Code's session id. */
  claude: string;
}

/** @param inherited usually process.env */
export function childEnv(
  inherited: Readonly<Record<string, string | undefined>>,
  address: BridgeAddress,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && allowed(name)) env[name] = value;
  }
  return { ...env, ...withoutProxy(env), TERM: 'xterm-256color', ...fixedEnv(address) };
}

/** Variables that are the same for every session. */
export const fixedVariables = [
  // A supervised session must not change under us.
  { key: 'DISABLE_AUTOUPDATER', value: '1', words: 'Claude Code does not update itself' },
  { key: 'CLAUDE_CODE_DISABLE_CRON', value: '1', words: 'Claude has no timers' },
  // A call that takes longer than 120 s would go on behind the turn, and its result reach nobody.
  { key: 'CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS', value: '0', words: 'tools run in their turn' },
  // Channels are not registered under the newer negotiation.
  { key: 'MCP_PROTOCOL_NEGOTIATION', value: 'legacy', words: 'MCP is spoken as channels need it' },
] as const;

/** Returns what a Claude Code is started with whatever the user has; a settings file must not change it either. */
export function fixedEnv(address: BridgeAddress): Record<string, string> {
  return {
    [WireEnv.bridgeUrl]: address.bridgeUrl,
    [WireEnv.bridgeToken]: address.token,
    [WireEnv.openclawSession]: address.key,
    [WireEnv.claudeSession]: address.claude,
    ...Object.fromEntries(fixedVariables.map(({ key, value }) => [key, value])),
  };
}

/** With a proxy configured, hooks and the channel still have to reach loopback directly. */
function withoutProxy(env: Record<string, string>): Record<string, string> {
  const proxied = Object.keys(env).some((name) => /^(?:https?|all)_proxy$/i.test(name));
  return proxied ? noProxy(env.NO_PROXY ?? env.no_proxy) : {};
}

/** Returns variables that keep these hosts and loopback away from a proxy. @param lists each as in `NO_PROXY` */
export function noProxy(...lists: (string | undefined)[]): Record<string, string> {
  const hosts = [...lists, '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return { NO_PROXY: hosts, no_proxy: hosts };
}
