import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseArgv } from '../../src/demo/claude/settings/flags.ts';
import { identify } from '../../src/demo/claude/settings/identity.ts';
import { Conversation } from '../../src/demo/claude/turn/conversation.ts';
import { noHistory, readHistory, transcriptPath } from '../../src/demo/claude/turn/transcript.ts';

const id = '11111111-2222-4333-8444-555555555555';
const other = '99999999-2222-4333-8444-555555555555';
const cwd = '/some dir/a_b.c';
let home: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sim-home-'));
  env = { HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const identifyWith = (...argv: string[]) => {
  const invocation = parseArgv(argv);
  if (invocation.kind !== 'interactive') throw new Error('no session');
  return identify(invocation.flags, env);
};
const converse = (name?: string, systemPrompt?: string) =>
  new Conversation({ env, cwd, name }, { sessionId: id, history: noHistory, systemPrompt });

test('the file is named after the folder with every other character a dash, and starts with the first prompt', () => {
  const conversation = converse();
  const path = transcriptPath(env, cwd, id);
  expect(path).toBe(join(home, '.claude/projects/-some-dir-a-b-c', `${id}.jsonl`));
  expect(existsSync(path)).toBe(false);
  conversation.accept('one', 'p1', 'typed');
  expect(existsSync(path)).toBe(true);
});

test('resuming remembers the prompts, under the same id and from any folder', () => {
  const conversation = converse();
  conversation.accept('one', 'p1', 'typed');
  conversation.transcript.assistant([{ type: 'text', text: 'yes' }], 'p1');
  conversation.accept('two', 'p2', 'channel');
  expect(identifyWith('--resume', id)).toMatchObject({
    ok: true,
    sessionId: id,
    source: 'resume',
    history: { prompts: ['one', 'two'] },
  });
});

test('a withdrawn prompt is not remembered', () => {
  const conversation = converse();
  conversation.accept('one', 'p1', 'typed');
  conversation.accept('two', 'p2', 'typed')();
  conversation.accept('three', 'p3', 'typed');
  expect(conversation.memory([]).earlier).toEqual(['one']);
  expect(readHistory(conversation.transcript.path).prompts).toEqual(['one', 'three']);
});

test('a torn last line is ignored', () => {
  const conversation = converse();
  conversation.accept('one', 'p1', 'typed');
  appendFileSync(conversation.transcript.path, '{"type":"user","mess');
  expect(readHistory(conversation.transcript.path).prompts).toEqual(['one']);
});

test('the appended system prompt is frozen at the first prompt', () => {
  converse(undefined, 'You serve alice.').accept('one', 'p1', 'typed');
  expect(identifyWith('--resume', id, '--append-system-prompt', 'Changed.')).toMatchObject({
    systemPrompt: 'You serve alice.',
  });
});

test('a session can be resumed by its name', () => {
  converse('our chat').accept('one', 'p1', 'typed');
  expect(identifyWith('--resume', 'our chat')).toMatchObject({ ok: true, sessionId: id });
});

test('a fork has a new id and carries the history into its own file', () => {
  converse().accept('one', 'p1', 'typed');
  const fork = identifyWith('--resume', id, '--fork-session', '--session-id', other);
  if (!fork.ok) throw new Error(fork.message);
  new Conversation({ env, cwd, name: undefined }, fork).accept('two', 'p2', 'typed');
  expect(readHistory(transcriptPath(env, cwd, other)).prompts).toEqual(['one', 'two']);
  expect(readHistory(transcriptPath(env, cwd, id)).prompts).toEqual(['one']);
});

test('what cannot be served is refused in the words of Claude Code', () => {
  expect(identifyWith('--session-id', 'nope')).toEqual({
    ok: false,
    message: 'Error: Invalid session ID. Must be a valid UUID.',
  });
  expect(identifyWith('--resume', id)).toEqual({
    ok: false,
    message: `No conversation found with session ID: ${id}`,
  });
  expect(identifyWith('--session-id', other, '--resume', id)).toEqual({
    ok: false,
    message: 'Error: --session-id with --continue or --resume also needs --fork-session.',
  });
  converse().accept('one', 'p1', 'typed');
  expect(identifyWith('--session-id', id)).toEqual({
    ok: false,
    message: `Error: Session ID ${id} is already in use.`,
  });
});
