// The ways in which Claude Code can start: what it asks about, or that it is ready.
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Pty } from '../../support/pty.ts';
import { answerFirstRun, claudeEnv } from './claude-home.ts';
import { type IsolatedHome, isolatedHome } from './isolated-home.ts';
import { MessagesApi } from './messages-api.ts';
import { claudePath } from './peers.ts';

export interface Start {
  /** Id in the dialog table; undefined = no question. */
  dialog: string | undefined;
  trusted?: boolean;
  firstRun?: boolean;
  env?: Record<string, string>;
  args?: string[];
  /** Leaves `--permission-mode` out. */
  anyMode?: boolean;
  /** Files of the project folder. */
  files?: Record<string, string>;
  /** Content of the user's own settings file. */
  userSettings?: object;
}

const otherServer = JSON.stringify({ mcpServers: { other: { command: 'true', args: [] } } });

export const starts: [name: string, start: Start][] = [
  ['a folder nobody has trusted', { dialog: 'trust', trusted: false }],
  ['a first run', { dialog: 'onboarding', firstRun: true }],
  [
    'an API key in the environment',
    { dialog: 'api_key', env: { ANTHROPIC_API_KEY: 'sk-ant-dummy-key-of-a-test', ANTHROPIC_AUTH_TOKEN: '' } },
  ],
  ['an MCP server of the project', { dialog: 'project_mcp', files: { '.mcp.json': otherServer } }],
  ['a setting that makes no sense', { dialog: 'settings_error', args: ['--settings', '{"hooks":5}'] }],
  [
    'a settings file that is not JSON',
    { dialog: 'settings_error', files: { '.claude/settings.json': '{"hooks":' } },
  ],
  ['a ready session', { dialog: undefined }],
  [
    'a project server that strict mode ignores',
    {
      dialog: undefined,
      files: { '.mcp.json': otherServer },
      args: ['--strict-mcp-config', '--mcp-config', '{"mcpServers":{}}'],
    },
  ],
];

/** A Claude Code without a bridge, on a home and with a model of its own. */
export interface Started extends AsyncDisposable {
  claude: Pty;
  api: MessagesApi;
  home: IsolatedHome;
}

export async function startClaude(start: Start): Promise<Started> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await isolatedHome('start'));
  const cwd = await home.directory('work/project');
  if (!start.firstRun) await answerFirstRun(home.path, (start.trusted ?? true) ? [cwd] : []);
  for (const [name, text] of Object.entries(start.files ?? {})) {
    await home.directory(join('work/project', dirname(name)));
    await writeFile(join(cwd, name), text);
  }
  if (start.userSettings) {
    const folder = await home.directory('.claude');
    await writeFile(join(folder, 'settings.json'), JSON.stringify(start.userSettings));
  }
  const api = stack.use(await MessagesApi.start());
  const env = claudeEnv(home.path, api.url, start.env);
  const args = [...(start.anyMode ? [] : ['--permission-mode', 'manual']), ...(start.args ?? [])];
  const claude = stack.use(new Pty([claudePath(), ...args], { cwd, env, cols: 120, rows: 40 }));
  const owned = stack.move();
  return { claude, api, home, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
