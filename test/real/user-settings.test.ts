// Settings and key bindings of the user's own, in the real Claude Code: whatever they change about how it looks, takes keys
// or reports, messages are answered, and the user's files stay as they are.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WatchedWorld } from './support/watched-world.ts';

let world: WatchedWorld;
beforeAll(async () => {
  world = await WatchedWorld.start('settings');
});
afterAll(() => world[Symbol.asyncDispose]());

interface Own {
  settings?: object;
  /** Of the prompt box. */
  keys?: Record<string, string | null>;
  /** So many lines are a text for the editor. */
  lines?: number;
}

const cases: [name: string, own: Own][] = [
  // Where such a mode stands, Claude Code offers the automatic one behind its prompt, with "Yes" chosen.
  ...['manual', 'plan', 'acceptEdits', 'default'].map((defaultMode): [string, Own] => [
    `the mode ${defaultMode}`,
    { settings: { permissions: { defaultMode } } },
  ]),
  ['a screen reader', { settings: { axScreenReader: true } }],
  ['a screen reader by a variable', { settings: { env: { CLAUDE_AX_SCREEN_READER: '1' } } }],
  ['the sandbox', { settings: { sandbox: { enabled: true } } }],
  ['vim', { settings: { editorMode: 'vim' } }],
  ['the old renderer', { settings: { tui: 'default' } }],
  ['no alternate screen', { settings: { env: { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1' } } }],
  ['no title', { settings: { env: { CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1' } } }],
  ['the view of what matters', { settings: { viewMode: 'focus' } }],
  ['every detail', { settings: { viewMode: 'verbose', verbose: true, showMessageTimestamps: true } }],
  ['a light theme with little motion', { settings: { theme: 'light', prefersReducedMotion: true } }],
  ['another style of answers', { settings: { outputStyle: 'Explanatory' } }],
  ['a status line', { settings: { statusLine: { type: 'command', command: 'echo ❯ mine' } } }],
  ['an editor by a variable', { settings: { env: { EDITOR: 'false', VISUAL: 'false' } }, lines: 300 }],
  ['a proxy by a variable', { settings: { env: { HTTP_PROXY: 'http://127.0.0.1:9' } } }],
  ['Enter that begins a line', { keys: { enter: 'chat:newline' } }],
  ['no chord that sends', { keys: { 'ctrl+x ctrl+s': null, 'ctrl+x enter': null } }],
  [
    'a chord of their own that sends',
    { keys: { enter: null, 'ctrl+x ctrl+s': null, 'meta+s': 'chat:submit' } },
  ],
  ['no key that opens the editor', { keys: { 'ctrl+g': null, 'ctrl+x ctrl+e': null }, lines: 300 }],
];

test.for(cases)(
  'with %s messages are answered',
  async ([name, { settings, keys, lines = 1 }], { onTestFinished }) => {
    const folder = await world.home.directory('.claude');
    const files = Object.entries({
      'settings.json': settings && JSON.stringify(settings),
      'keybindings.json': keys && JSON.stringify({ bindings: [{ context: 'Chat', bindings: keys }] }),
    }).flatMap(([file, text]) => (text === undefined ? [] : { path: join(folder, file), text }));
    for (const { path, text } of files) await writeFile(path, text);
    onTestFinished(async () => {
      for (const { path } of files) await rm(path);
    });
    const chat = name.replaceAll(' ', '-');
    for (const each of ['one', 'two']) {
      const text = Array.from({ length: lines }, (_, line) => `line ${line} of message ${each}`).join('\n');
      expect(await world.ask(chat, text)).toContain(`line ${lines - 1} of message ${each}`);
    }
    for (const { path, text } of files) expect(await readFile(path, 'utf8')).toBe(text);
    await world.command('stop', chat);
  },
);
