import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnd } from '../../../../src/bridge/claude/turn/written-end.ts';

const dir = mkdtempSync(join(tmpdir(), 'written-end-'));
afterAll(() => rmSync(dir, { recursive: true }));

const prompt = { type: 'user', uuid: 'u1', promptId: 'p1', message: { role: 'user', content: 'hi' } };
const about = { type: 'system', subtype: 'informational', uuid: 'r1' };
const content = (reason: string) =>
  `UserPromptSubmit operation blocked by hook:\n${reason}\n\nOriginal prompt: Paint the ladder.`;
const ending = { ending: { kind: 'blocked_by_hook', reason: 'No ladders.\n' }, promptKept: false };
const refused = { ...about, content: content('[grep -q]: No ladders.\n'), promptSubmitEnding: ending };

/** Stands behind each turn that was completed. */
const duration = { type: 'system', subtype: 'turn_duration', uuid: 's1' };
let lines = 0;
const line = (content: object[], more: object = {}) => {
  lines += 1;
  return { type: 'assistant', uuid: `l${lines}`, message: { id: 'm1', content }, ...more };
};
const says = (text: string, id = 'm1') =>
  line([{ type: 'text', text }], { message: { id, content: [{ type: 'text', text }] } });
const result = { ...prompt, uuid: 'u2', message: { content: [{ type: 'tool_result', content: 'x' }] } };

function read(...lines: object[]) {
  const path = join(dir, 'transcript.jsonl');
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return readEnd(path, ['p1']);
}

test('the reason of a hook is read, without the command that gave it', async () => {
  expect(await read(prompt, refused)).toEqual({ is: 'refused', line: 'r1', reason: 'No ladders.' });
});

test('releases that do not tell it by itself have it in their words', async () => {
  expect(await read(prompt, { ...about, content: content('No ladders.\nNor hammers.') })).toEqual({
    is: 'refused',
    line: 'r1',
    reason: 'No ladders.\nNor hammers.',
  });
});

test('what is behind a refusal has made it old, unless it is said by Claude Code itself', async () => {
  expect(await read(refused, duration)).toMatchObject({ line: 'r1' });
  expect(await read(refused, prompt, duration)).toEqual({ is: 'completed', line: 's1' });
});

test('another line that says so is none', async () => {
  const quoted = { ...prompt, type: 'assistant', content: content('No ladders.') };
  expect(await read(quoted)).toBeUndefined();
  expect(await read({ ...about, content: 'Update installed.' })).toBeUndefined();
});

test('a transcript that is not there, or torn, says nothing', async () => {
  expect(await readEnd(join(dir, 'none.jsonl'), ['p1'])).toBeUndefined();
  writeFileSync(join(dir, 'torn.jsonl'), JSON.stringify(refused).slice(0, -20));
  expect(await readEnd(join(dir, 'torn.jsonl'), ['p1'])).toBeUndefined();
});

test('a turn is complete with its last message, which may be several lines', async () => {
  const thinks = line([{ type: 'thinking', thinking: 'Hm.' }]);
  const turn = [prompt, says('First.', 'm0'), result, thinks, says('Second, '), says('third.')];
  expect(await read(...turn, duration)).toEqual({ is: 'completed', line: 's1', last: 'Second, third.' });
});

test('what is written behind its end by others, or beside it by agents, is none of it', async () => {
  const queued = { type: 'queue-operation', operation: 'enqueue', content: 'a report' };
  const agents = line([{ type: 'text', text: 'aside' }], { isSidechain: true });
  expect(await read(prompt, says('Done.'), agents, duration, queued, agents)).toMatchObject({
    last: 'Done.',
  });
});

test('while Claude writes, or a tool runs, it is not over', async () => {
  expect(await read(prompt, says('turn_duration'))).toBeUndefined();
  expect(await read(prompt, says('turn_duration'), result)).toBeUndefined();
});

test('the end of a turn before says nothing of this one, whose prompt is not written yet', async () => {
  expect(await read({ ...prompt, promptId: 'p0' }, says('Before.'), duration)).toBeUndefined();
  expect(await read(says('Of whom?'), duration)).toBeUndefined();
});

test('an Esc in the terminal is known by the message that it cut', async () => {
  const note = { ...prompt, uuid: 'u3', message: { content: [] }, interruptedMessageId: 'm1' };
  expect(await read(prompt, says('Half a'), note)).toEqual({ is: 'interrupted', line: 'u3' });
  expect(await read(prompt, says('Half a'), { ...note, promptId: 'p0' })).toBeUndefined();
  expect(await read(prompt, says('Half a'), note, says('On with it.'))).toBeUndefined();
});

test('an error of the API is the end, with what Claude Code says of it', async () => {
  const detail = 'API Error: 400 no such model';
  const error = { ...says(detail, 'e1'), uuid: 'e1', isApiErrorMessage: true };
  expect(await read(prompt, says('turn_duration'), error)).toBeUndefined();
  expect(await read(prompt, error, duration)).toEqual({ is: 'failed', line: 's1', detail });
  expect(await read(prompt, error, says('On with it.'), duration)).toMatchObject({ is: 'completed' });
});

test('only what says so is the end: other lines of the system are not', async () => {
  const summary = { type: 'system', subtype: 'stop_hook_summary', uuid: 'h1', content: 'turn_duration' };
  expect(await read(prompt, says('Done.'), summary)).toBeUndefined();
  expect(await read(prompt, duration, says('On with it.'), summary)).toBeUndefined();
  expect(await read(prompt, says('Done.'), summary, duration)).toMatchObject({ line: 's1', last: 'Done.' });
});

test('lines without the id of a message are messages of their own', async () => {
  const bare = (text: string) => line([], { message: { content: [{ type: 'text', text }] } });
  expect(await read(prompt, bare('First.'), bare('Second.'), duration)).toMatchObject({ last: 'Second.' });
  expect(await read(prompt, bare('First.'), says('Second.'), duration)).toMatchObject({ last: 'Second.' });
  expect(await read(prompt, says('First.', 'm0'), says('Second.'), duration)).toMatchObject({
    last: 'Second.',
  });
  const plain = line([], { message: { id: 'm1', content: 'no list' } });
  expect(await read(prompt, plain, duration)).toMatchObject({ last: '' });
});

test('a prompt of unknown name, and an Esc without one, say nothing', async () => {
  expect(await read({ ...prompt, promptId: undefined }, says('Done.'), duration)).toBeUndefined();
  const note = { ...prompt, uuid: undefined, message: { content: [] }, interruptedMessageId: 'm1' };
  expect(await read(prompt, says('Half a'), note)).toBeUndefined();
  expect(await read(prompt, { ...refused, uuid: undefined })).toBeUndefined();
});

test('a message of more than a megabyte hides the prompt, and nothing is concluded', async () => {
  expect(await read(prompt, says('x'.repeat(100_000)), duration)).toMatchObject({ is: 'completed' });
  expect(await read(prompt, says('x'.repeat(1_000_000)), duration)).toBeUndefined();
});
