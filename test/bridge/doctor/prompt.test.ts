// What the user's settings and key bindings change about the prompt, in the words of the doctor.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { prompt } from '../../../src/bridge/doctor/claude/prompt.ts';
import { checkLines } from '../../../src/cli/output/words/check-line.ts';
import type { Check } from '../../../src/domain/views/check.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { tempDir } from '../journal/temp-dir.ts';

interface World {
  /** By their path below the home folder. */
  files?: Record<string, unknown>;
  config?: object;
  /** Below the home folder. */
  state?: string;
}

/** What it finds; the home folder is `~`. */
async function findings({ files = {}, config = {}, state = 'state' }: World): Promise<Check[]> {
  const home = tempDir();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(content));
  }
  const options = {
    stateDir: join(home, state),
    openclaw: 'openclaw',
    running: undefined,
    env: { HOME: home },
    config: Config.parse({ cwd: join(home, 'work'), ...config }),
  };
  const found = await prompt(options, new AbortController().signal);
  return found.map((check) => ({ ...check, message: check.message.replaceAll(home, '~') }));
}

const messages = async (world: World) => (await findings(world)).map(({ message }) => message);
const own = '.claude/settings.json';
const keys = '.claude/keybindings.json';
const chat = (bindings: object) => ({ bindings: [{ context: 'Chat', bindings }] });
const sent = 'Messages are sent with a key that no question takes for an answer.';

test.each<[name: string, world: World]>([
  ['no file', {}],
  ['a broken one', { files: { [own]: 'not an object' } }],
  ['what sessions have anyway', { files: { [own]: { axScreenReader: false, editorMode: 'normal' } } }],
  ['the mode of every session', { files: { [own]: { permissions: { defaultMode: 'default' } } } }],
  ['a sandbox that is off', { files: { [own]: { sandbox: { enabled: false } } } }],
  ['what no session overrides', { files: { [own]: { theme: 'light', env: { FOO: '1' } } } }],
  ['other variables', { files: { [own]: { env: { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1' } } } }],
  ["the user's own switch for hooks", { files: { [own]: { disableAllHooks: true } } }],
  ['an editor, where the bridge can have none', { files: { [own]: { env: { EDITOR: 'x' } } }, state: 'a b' }],
  ['key bindings of elsewhere', { files: { [keys]: { bindings: [{ context: 'Tabs', bindings: {} }] } } }],
])('with %s there is one line', async (_, world) => {
  expect(await messages(world)).toEqual([sent]);
});

test.each<[settings: object, words: string]>([
  [{ axScreenReader: true }, '`axScreenReader` (the screen is drawn as usual)'],
  [
    { axScreenReader: true, env: { CLAUDE_AX_SCREEN_READER: '1' } },
    '`axScreenReader` and `env.CLAUDE_AX_SCREEN_READER` (the screen is drawn as usual)',
  ],
  [
    { editorMode: 'vim', env: { CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1' } },
    '`editorMode` (the prompt has no vim mode), `env.CLAUDE_CODE_DISABLE_TERMINAL_TITLE` (the terminal has its title)',
  ],
  [
    { permissions: { defaultMode: 'plan' } },
    '`permissions.defaultMode` (sessions start in the mode of their profile)',
  ],
  [
    { sandbox: { enabled: true, autoAllowBashIfSandboxed: false } },
    '`sandbox` (it lets hooks through to the bridge)',
  ],
  [
    { env: { VISUAL: 'x', EDITOR: 'x' } },
    '`env.EDITOR` and `env.VISUAL` (long messages come by an editor of the bridge)',
  ],
  [
    { env: { HTTPS_PROXY: 'http://alice:secret@proxy', no_proxy: 'x' } },
    '`env.no_proxy` and `env.HTTPS_PROXY` (hooks go past a proxy)',
  ],
  [
    { env: { MCP_PROTOCOL_NEGOTIATION: 'auto' } },
    '`env.MCP_PROTOCOL_NEGOTIATION` (MCP is spoken as channels need it)',
  ],
])('%j is named in words', async (settings, words) => {
  expect(await messages({ files: { [own]: settings } })).toEqual([
    sent,
    `Sessions override in ~/.claude/settings.json: ${words}.`,
  ]);
});

test('each file has a line; a mode is named when one profile has another', async () => {
  const files = {
    [own]: { editorMode: 'vim', permissions: { defaultMode: 'manual' } },
    'work/.claude/settings.local.json': { disableAllHooks: true },
  };
  const config = { profiles: [{ match: 'a*', permissionMode: 'plan', cwd: '/' }] };
  expect(await messages({ files, config })).toEqual([
    sent,
    'Sessions override in ~/.claude/settings.json: `editorMode` (the prompt has no vim mode), `permissions.defaultMode` (sessions start in the mode of their profile).',
    'Sessions override in ~/work/.claude/settings.local.json: `disableAllHooks` (hooks stay on).',
  ]);
});

test.each<[files: World['files'], isUnasked: boolean]>([
  [{ [own]: { sandbox: { enabled: true } } }, true],
  [{ [own]: { sandbox: { enabled: true, autoAllowBashIfSandboxed: true } } }, true],
  [{ [own]: { sandbox: { enabled: true, autoAllowBashIfSandboxed: false } } }, false],
  [
    {
      [own]: { sandbox: { enabled: true } },
      'work/.claude/settings.json': { sandbox: { autoAllowBashIfSandboxed: false } },
    },
    false,
  ],
  [
    {
      [own]: { sandbox: { enabled: true } },
      'work/.claude/settings.json': { sandbox: { enabled: false } },
    },
    false,
  ],
  [{ [own]: { sandbox: { autoAllowBashIfSandboxed: true } } }, false],
])('with %j Bash runs in the sandbox without asking: %s', async (files, isUnasked) => {
  const said = (await messages({ files })).filter((message) => message.includes('runs Bash without asking'));
  expect(said).toEqual(
    isUnasked
      ? [
          'In the sandbox of ~/.claude/settings.json Claude Code runs Bash without asking, unless you set `sandbox.autoAllowBashIfSandboxed` to false.',
        ]
      : [],
  );
});

const enter = 'Messages are sent with Enter';
const nothing = 'No key sends a message';
const path = '~/.claude/keybindings.json';
test.each<[bindings: object, status: string, says: (string | RegExp)[]]>([
  [
    { 'ctrl+x ctrl+s': null, 'meta+s': 'chat:sendNow' },
    'ok',
    [sent, `Sessions follow ${path}: another key sends a message.`],
  ],
  [
    { 'ctrl+g': null, 'ctrl+x ctrl+e': null, escape: null },
    'ok',
    [sent, `Sessions follow ${path}: no key opens the editor, no key stops a turn.`],
  ],
  [{ 'ctrl+x ctrl+s': null }, 'warning', [expect.stringContaining(enter)]],
  [
    { 'ctrl+x ctrl+s': null, 'ctrl+x enter': null, enter: null, 'ctrl+s': null },
    'failed',
    [expect.stringContaining(nothing), `Sessions follow ${path}: no key puts a draft aside.`],
  ],
])('with keys bound like %j it is %s', async (bindings, status, says) => {
  const found = await findings({ files: { [keys]: chat(bindings) } });
  expect(found[0]).toMatchObject({ name: 'prompt', status });
  expect(found.map(({ message }) => message)).toEqual(says);
});

test('it can be read at 80 columns', async () => {
  const settings = { axScreenReader: true, sandbox: { enabled: true }, env: { EDITOR: 'x' } };
  const found = await findings({ files: { [own]: settings } });
  expect(found.flatMap((check) => checkLines(check, 80)).join('\n')).toMatchInlineSnapshot(`
    "ok    prompt      Messages are sent with a key that no question takes for an
                      answer.
    ok    prompt      Sessions override in ~/.claude/settings.json: \`axScreenReader\`
                      (the screen is drawn as usual), \`sandbox\` (it lets hooks
                      through to the bridge), \`env.EDITOR\` (long messages come by an
                      editor of the bridge).
    ok    prompt      In the sandbox of ~/.claude/settings.json Claude Code runs
                      Bash without asking, unless you set
                      \`sandbox.autoAllowBashIfSandboxed\` to false."
  `);
});
