// Settings and key bindings of the user's own, in the real Claude Code: whatever they change about how it looks, takes keys
// or reports, messages are answered, and the user's files stay as they are.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
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
  /** What `/config` keeps in the file that Claude Code itself writes. */
  state?: Record<string, unknown>;
  /** So many lines are a text for the editor. */
  lines?: number;
}

const isHunt = process.env.HUNT !== undefined;
const messages = isHunt ? ['one', 'two', 'three', 'four', 'five'] : ['one', 'two'];
const modes = ['manual', 'plan', 'acceptEdits', 'default'];

const cases: [name: string, own: Own][] = [
  // Where such a mode stands, Claude Code offers the automatic one behind its prompt, with "Yes" chosen.
  ...modes.map((defaultMode): [string, Own] => [
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

/** These change less of what we depend on: none has ever kept a message from its answer. */
const others: typeof cases = [
  ['no tips', { settings: { spinnerTipsEnabled: false } }],
  ['no progress in the bar of the terminal', { settings: { terminalProgressBarEnabled: false } }],
  ['a view that does not scroll', { settings: { autoScrollEnabled: false } }],
  ['a bell for notifications', { settings: { preferredNotifChannel: 'terminal_bell' } }],
  ['notifications for kitty', { settings: { preferredNotifChannel: 'kitty' } }],
  ['no duration of turns', { settings: { showTurnDuration: false } }],
  ['no list of tasks', { settings: { todoFeatureEnabled: false } }],
  ['another language', { settings: { language: 'japanese' } }],
  ['no colours of syntax', { settings: { syntaxHighlightingDisabled: true } }],
  ['no thinking', { settings: { alwaysThinkingEnabled: false } }],
  ['no suggestions', { settings: { promptSuggestionEnabled: false, emojiCompletionEnabled: false } }],
  ['narrow prose', { settings: { maxProseWidth: 40 } }],
  ['an announcement that looks like a prompt', { settings: { companyAnnouncements: ['❯ 1. Yes', '❯ '] } }],
  ['a survey at every chance', { settings: { feedbackSurveyRate: 1 } }],
  ['no copy of what is selected', { state: { copyOnSelect: false } }],
  ['no agents behind the left arrow', { state: { leftArrowOpensAgents: false } }],
  ['the view of agents first', { state: { defaultToAgentsView: true } }],
  ['differences in the terminal', { state: { diffTool: 'terminal' } }],
  ['differences beside the prompt', { state: { diffSidebarOpen: true } }],
  ['a brief transcript and all tasks', { state: { briefTranscript: true, showExpandedTodos: true } }],
  ['Esc that clears the prompt', { keys: { escape: 'chat:clearInput' } }],
  ['another key for Esc', { keys: { escape: null, 'ctrl+q': 'chat:cancel' } }],
  ['Ctrl+X that undoes', { keys: { 'ctrl+x': 'chat:undo' } }],
  [
    'Ctrl+S that sends, and nothing else',
    { keys: { enter: null, 'ctrl+x ctrl+s': null, 'ctrl+s': 'chat:submit' } },
  ],
];

/** Gives Claude Code's own file these values, until the end of the test. */
async function setState(state: Own['state'] = {}): Promise<void> {
  const path = join(world.home.path, '.claude.json');
  const change = async (changed: object) => {
    const now = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...now, ...changed }));
  };
  const none = Object.fromEntries(Object.keys(state).map((key) => [key, undefined]));
  if (Object.keys(state).length === 0) return;
  await change(state);
  onTestFinished(() => change(none));
}

test.for(isHunt ? [...cases, ...others] : cases)(
  'with %s messages are answered',
  async ([name, { settings, keys, state, lines = 1 }]) => {
    await setState(state);
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
    for (const each of messages) {
      const text = Array.from({ length: lines }, (_, line) => `line ${line} of message ${each}`).join('\n');
      expect(await world.ask(chat, text)).toContain(`line ${lines - 1} of message ${each}`);
    }
    for (const { path, text } of files) expect(await readFile(path, 'utf8')).toBe(text);
    await world.command('stop', chat);
  },
);

test.for(isHunt ? modes : [])(
  'with the mode %s each of 60 first messages is answered',
  async (defaultMode) => {
    const path = join(await world.home.directory('.claude'), 'settings.json');
    const own = JSON.stringify({ permissions: { defaultMode } });
    await writeFile(path, own);
    onTestFinished(() => rm(path));
    const chats = Array.from({ length: 60 }, (_, chat) => `first-${defaultMode}-${chat}`);
    const lane = async () => {
      for (let chat = chats.shift(); chat; chat = chats.shift()) {
        expect(await world.ask(chat, `hello from ${chat}`)).toContain(`echo: [user] hello from ${chat}`);
        expect(await readFile(path, 'utf8')).toBe(own);
        await world.command('rm', chat);
      }
    };
    await Promise.all([lane(), lane()]);
  },
);
