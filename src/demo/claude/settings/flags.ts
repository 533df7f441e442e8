import { never } from '../../../base/never.ts';

/** What the command line asks for. `error` carries the text Claude Code prints before it exits with 1. */
export type Invocation =
  | { kind: 'interactive'; flags: Flags }
  | { kind: 'version' }
  | { kind: 'auth-status' }
  | { kind: 'agents' }
  /** One question on stdin; `system` is a file. */
  | { kind: 'print'; system: string | undefined; tools: string | undefined }
  | { kind: 'error'; message: string };

export interface Flags {
  sessionId: string | undefined;
  resume: string | undefined;
  fork: boolean;
  name: string | undefined;
  /** As given; Claude Code starts in `auto` when there is none (measured on 2.1.329). */
  permissionMode: string;
  /** Files or inline JSON, later ones merged over earlier ones. */
  settings: string[];
  mcpConfig: string[];
  strictMcpConfig: boolean;
  allowedTools: string[];
  appendSystemPrompt: string | undefined;
  appendSystemPromptFile: string | undefined;
  model: string | undefined;
  /** `server:NAME` entries of the development flag. */
  devChannels: string[];
  /** `plugin:NAME@MARKET` entries of the allowlisted flag. */
  channels: string[];
  /** A first prompt given as an argument. */
  prompt: string | undefined;
}

type Arity = 'switch' | 'one' | 'many';

/** Every option that is understood; `many` takes words until the next option. */
const options: Record<string, Arity> = {
  '--session-id': 'one',
  '--resume': 'one',
  '-r': 'one',
  '--fork-session': 'switch',
  '--name': 'one',
  '-n': 'one',
  '--permission-mode': 'one',
  '--settings': 'one',
  '--mcp-config': 'many',
  '--strict-mcp-config': 'switch',
  '--allowedTools': 'many',
  '--allowed-tools': 'many',
  '--append-system-prompt': 'one',
  '--append-system-prompt-file': 'one',
  '--system-prompt-snapshot': 'one',
  '--setting-sources': 'one',
  '--model': 'one',
  '--effort': 'one',
  '--add-dir': 'many',
  '--verbose': 'switch',
  '--print': 'switch',
  '-p': 'switch',
  '--input-format': 'one',
  '--output-format': 'one',
  '--tools': 'one',
  '--system-prompt-file': 'one',
  '--disable-slash-commands': 'switch',
  '--no-session-persistence': 'switch',
  '--debug': 'switch',
  '--dangerously-load-development-channels': 'many',
  '--channels': 'many',
};

const modes = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'manual', 'plan'];

/** Reads Claude Code's command line. Pure: files named by it are read later. */
export function parseArgv(argv: string[]): Invocation {
  if (argv.includes('-v') || argv.includes('--version')) return { kind: 'version' };
  if (argv[0] === 'auth' && argv[1] === 'status') return { kind: 'auth-status' };
  if (argv[0] === 'agents') return { kind: 'agents' };
  const given = collect(argv);
  if ('error' in given) return { kind: 'error', message: given.error };
  const { values, words } = given;
  const last = (...names: string[]) => names.flatMap((name) => values.get(name) ?? []).at(-1);
  const all = (...names: string[]) =>
    names.flatMap((name) => values.get(name) ?? []).flatMap((v) => v.split(','));
  const permissionMode = last('--permission-mode') ?? 'auto';
  if (!modes.includes(permissionMode)) {
    return {
      kind: 'error',
      message: `error: option '--permission-mode <mode>' argument '${permissionMode}' is invalid. Allowed choices are ${modes.join(', ')}.`,
    };
  }
  if (values.has('--print') || values.has('-p'))
    return { kind: 'print', system: last('--system-prompt-file'), tools: last('--tools') };
  return {
    kind: 'interactive',
    flags: {
      sessionId: last('--session-id'),
      resume: last('--resume', '-r'),
      fork: values.has('--fork-session'),
      name: last('--name', '-n'),
      permissionMode,
      settings: values.get('--settings') ?? [],
      mcpConfig: values.get('--mcp-config') ?? [],
      strictMcpConfig: values.has('--strict-mcp-config'),
      allowedTools: all('--allowedTools', '--allowed-tools').map((tool) => tool.trim()),
      appendSystemPrompt: last('--append-system-prompt'),
      appendSystemPromptFile: last('--append-system-prompt-file'),
      model: last('--model'),
      devChannels: all('--dangerously-load-development-channels'),
      channels: all('--channels'),
      prompt: words[0],
    },
  };
}

type Collected = { values: Map<string, string[]>; words: string[] } | { error: string };

function collect(argv: string[]): Collected {
  const values = new Map<string, string[]>();
  const words: string[] = [];
  const add = (name: string, ...more: string[]) => values.set(name, [...(values.get(name) ?? []), ...more]);
  let at = 0;
  while (at < argv.length) {
    const arg = argv[at] ?? '';
    at += 1;
    if (arg === '--') return { values, words: [...words, ...argv.slice(at)] };
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    const [name = '', inline] = arg.startsWith('--') ? splitOnce(arg) : [arg];
    const arity = options[name];
    switch (arity) {
      case undefined:
        return { error: `error: unknown option '${arg}'` };
      case 'switch':
        add(name);
        break;
      case 'one': {
        const value = inline ?? argv[at];
        if (value === undefined) return { error: `error: option '${name} <value>' argument missing` };
        if (inline === undefined) at += 1;
        add(name, value);
        break;
      }
      case 'many': {
        if (inline !== undefined) add(name, inline);
        while (inline === undefined && at < argv.length && !(argv[at] ?? '').startsWith('-')) {
          add(name, argv[at] ?? '');
          at += 1;
        }
        if (!values.get(name)?.length)
          return { error: `error: option '${name} <values...>' argument missing` };
        break;
      }
      default:
        never(arity);
    }
  }
  return { values, words };
}

function splitOnce(arg: string): [string, string | undefined] {
  const equals = arg.indexOf('=');
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}
