// Pure: what a Claude Code process of a session is started with. Which flags, and why, was measured on 2.1.329.
import { hashId } from '../../../base/digest.ts';
import { modeName } from '../../../domain/permission-mode.ts';
import { WireEnv } from '../../../protocol/wire/wire.ts';
import type { AgentSession } from '../../app/ports.ts';
import type { ContainAccess } from '../contain/contain-mounts.ts';
import { textFolder } from '../contain/text-folder.ts';
import { type SandboxAccess, sandboxSettings } from '../sandbox/sandbox-settings.ts';
import { bootstrap } from './bootstrap.ts';
import { childEnv, fixedEnv, noProxy } from './child-env.ts';
import { curlConfig, curlConfigFile, launchSettings, posterFile, posterSource } from './launch-settings.ts';
import { pinnedSettings } from './pinned-settings.ts';
import { promptEditor } from './prompt-editor.ts';

export interface ChannelConsent {
  /** The operator agreed to load our channel as a development channel. */
  development?: boolean;
  /** `<name>@<marketplace>`, when the organisation allows the channel as a plugin. */
  plugin?: string;
}

export interface LaunchInput {
  session: AgentSession;
  /** `new` = --session-id, `resume` = --resume. */
  start: 'new' | 'resume';
  /** Claude Code's command line prefix, the executable already resolved. */
  command: readonly [string, ...string[]];
  inherited: Readonly<Record<string, string | undefined>>;
  token: string;
  /** `http://127.0.0.1:PORT` of the bridge. */
  baseUrl: string;
  /** The same, of the host. */
  hooksUrl: string;
  /** Directory of this session's files. */
  dir: string;
  nodePath: string;
  channelEntry: string;
  channels: ChannelConsent;
  poster: 'curl' | 'node';
  /** Rules of Claude Code's `permissions.deny`. */
  deny?: readonly string[];
  /** Rules of its `permissions.allow`. */
  allow?: readonly string[];
  /** Folder of its memory; absent: Claude Code's own one of the working folder. */
  memory?: string;
  /** The policy has rules. */
  policed: boolean;
  /** What its sandbox lets commands reach, where it has one. */
  access?: SandboxAccess;
  /** What it reaches where it is contained; absent where it is not to be. */
  contain?: ContainAccess;
  /** `NO_PROXY` of the user's settings files. */
  noProxy?: string;
}

export interface LaunchSpec {
  argv: readonly [string, ...string[]];
  env: Record<string, string>;
  cwd: string;
  /** To be written into `dir`, readable by the user alone. */
  files: { name: string; content: string }[];
  /** Its prompt can be filled through an editor. */
  editable: boolean;
  /** Our channel was asked for on the command line. */
  channelAsked: boolean;
}

const nothing: SandboxAccess = { domains: [], hidden: [], shown: [] };

/** The name under which Claude Code knows our MCP server; tools are `mcp__synthesis__…`. */
const server = 'synthesis';

export function launchSpec(input: LaunchInput): LaunchSpec {
  const { session, dir, inherited } = input;
  const editor = promptEditor(dir, inherited.VISUAL || inherited.EDITOR, editorFolder(dir, session));
  const address = {
    bridgeUrl: `${input.baseUrl.replace(/^http/, 'ws')}/bridge`,
    token: input.token,
    key: session.key,
    claude: session.claude,
  };
  const pins = {
    mode: session.launch.permissionMode,
    sandbox: sandboxSettings(
      session.launch.sandbox ?? 'off',
      session.launch.cwd,
      input.hooksUrl.replace(/^http:\/\//, ''),
      input.access ?? nothing,
    ),
    env: {
      ...fixedEnv(address),
      // A proxy may stand in a settings file, too.
      ...noProxy(inherited.NO_PROXY ?? inherited.no_proxy, input.noProxy),
      ...editor?.env,
    },
  };
  const channels = channelFlags(input);
  const file = (name: string) => `${dir}/${name}`;
  return {
    argv: [
      ...input.command,
      input.start === 'resume' ? '--resume' : '--session-id',
      session.claude,
      '--name',
      label(session.key),
      // Several of these take a list, so each is followed by another flag.
      ...channels,
      '--settings',
      file('settings.json'),
      '--mcp-config',
      file('mcp.json'),
      '--strict-mcp-config',
      '--allowedTools',
      `mcp__${server}`,
      '--append-system-prompt-file',
      file('bootstrap.txt'),
      ...(session.launch.model ? ['--model', session.launch.model] : []),
      '--permission-mode',
      modeName(session.launch.permissionMode),
    ],
    env: { ...childEnv(inherited, address), ...editor?.env },
    cwd: session.launch.cwd,
    files: [
      { name: 'settings.json', content: json(launchSettings(input, pinnedSettings(pins))) },
      { name: 'mcp.json', content: json(mcpConfig(input, channels.length > 0)) },
      { name: 'bootstrap.txt', content: bootstrap({ key: session.key, cwd: session.launch.cwd }) },
      input.poster === 'curl'
        ? { name: curlConfigFile, content: curlConfig(input.token) }
        : { name: posterFile, content: posterSource },
      ...(editor ? [editor.file] : []),
    ],
    editable: editor !== undefined,
    channelAsked: channels.length > 0,
  };
}

/**
 * Stands for the flags, settings and addresses of a Claude Code: where it is another one now, the one that runs is not
 * what would be started.
 */
export function launchMark(input: LaunchInput): string {
  const session = { ...input.session, claude: '' };
  const spec = launchSpec({ ...input, session, start: 'new', token: '', hooksUrl: '', baseUrl: '' });
  // Only a channel server looks for the bridge where it was.
  const address = spec.channelAsked ? input.baseUrl : '';
  // Of its surroundings, what the configuration says of them: the rest differs from shell to shell.
  const { write, lets } = input.contain ?? {};
  const walls = input.contain ? [session.launch.contain, write, lets] : [];
  return hashId(JSON.stringify([spec.argv, spec.files, spec.cwd, address, ...walls]));
}

/** Where its editor finds long texts: one that is contained cannot take a file out of the session's folder. */
export const editorFolder = (dir: string, { launch }: Pick<AgentSession, 'launch'>): string =>
  (launch.contain ?? 'off') === 'off' ? dir : textFolder(dir);

function channelFlags({ session, channels }: LaunchInput): string[] {
  if (session.launch.delivery === 'terminal') return [];
  if (channels.plugin) return ['--channels', `plugin:${channels.plugin}`];
  return channels.development ? ['--dangerously-load-development-channels', `server:${server}`] : [];
}

/**
 * Only a program can be a channel; it inherits Claude Code's environment, with the bridge's address and token in it.
 * Everybody else's tools are served through the host, which costs no process.
 */
function mcpConfig({ nodePath, channelEntry, hooksUrl }: LaunchInput, isChannel: boolean): object {
  const headers = { Authorization: `Bearer \${${WireEnv.bridgeToken}}` };
  const road = isChannel
    ? { type: 'stdio', command: nodePath, args: [channelEntry], env: {} }
    : { type: 'http', url: `${hooksUrl}/mcp`, headers };
  // alwaysLoad: otherwise Claude Code hides the tools behind its tool search.
  return { mcpServers: { [server]: { ...road, alwaysLoad: true } } };
}

const label = (key: string): string =>
  key
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/^[-\s]+/, '')
    .trim()
    .slice(0, 60) || server;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
