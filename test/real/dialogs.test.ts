// Claude Code's questions at the start, as this version draws them: whoever updates Claude Code sees here what to relearn.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownDialog } from '../../src/bridge/claude/dialogs.ts';
import { readScreen } from '../../src/bridge/claude/screen-reader.ts';
import { Pty } from '../support/pty.ts';
import { until } from '../support/until.ts';
import { answerFirstRun, claudeEnv } from './support/claude-home.ts';
import { isolatedHome } from './support/isolated-home.ts';
import { MessagesApi } from './support/messages-api.ts';
import { claudePath } from './support/peers.ts';

interface Start {
  /** Id in the dialog table; undefined = no question. */
  dialog: string | undefined;
  trusted?: boolean;
  firstRun?: boolean;
  env?: Record<string, string>;
  args?: string[];
  /** Files of the project folder. */
  files?: Record<string, string>;
}

const otherServer = JSON.stringify({ mcpServers: { other: { command: 'true', args: [] } } });

const starts: [name: string, start: Start][] = [
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

test.for(starts)('%s is recognised on the screen', async ([, start]) => {
  await using home = await isolatedHome('dialog');
  const cwd = await home.directory('work/project');
  if (!start.firstRun) await answerFirstRun(home.path, (start.trusted ?? true) ? [cwd] : []);
  await home.directory('work/project/.claude');
  for (const [name, text] of Object.entries(start.files ?? {})) await writeFile(join(cwd, name), text);
  await using api = await MessagesApi.start();
  const env = claudeEnv(home.path, api.url, start.env);
  const args = ['--permission-mode', 'manual', ...(start.args ?? [])];
  await using claude = new Pty([claudePath(), ...args], { cwd, env, cols: 120, rows: 40 });

  const settled = () =>
    start.dialog ? knownDialog(claude.rows) : readScreen(claude.rows, claude.rows).box === '';
  await until(`the ${start.dialog ?? 'prompt'} on screen`, settled, 20_000).catch(() => undefined);
  expect(knownDialog(claude.rows)?.id, claude.screen).toBe(start.dialog);
  expect(readScreen(claude.rows, claude.rows).box, claude.screen).toBe(start.dialog ? undefined : '');
});
