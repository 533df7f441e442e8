import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRefusal } from '../../../../src/bridge/claude/turn/refusal.ts';

const dir = mkdtempSync(join(tmpdir(), 'refusal-'));
afterAll(() => rmSync(dir, { recursive: true }));

const prompt = { type: 'user', uuid: 'u1', message: { role: 'user', content: 'hi' } };
const about = { type: 'system', subtype: 'informational', uuid: 'r1' };
const content = (reason: string) =>
  `UserPromptSubmit operation blocked by hook:\n${reason}\n\nOriginal prompt: Paint the ladder.`;
const ending = { ending: { kind: 'blocked_by_hook', reason: 'No ladders.\n' }, promptKept: false };
const refused = { ...about, content: content('[grep -q]: No ladders.\n'), promptSubmitEnding: ending };

function read(...lines: object[]) {
  const path = join(dir, 'transcript.jsonl');
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return readRefusal(path);
}

test('the reason of a hook is read, without the command that gave it', async () => {
  expect(await read(prompt, refused)).toEqual({ id: 'r1', reason: 'No ladders.' });
});

test('releases that do not tell it by itself have it in their words', async () => {
  expect(await read(prompt, { ...about, content: content('No ladders.\nNor hammers.') })).toEqual({
    id: 'r1',
    reason: 'No ladders.\nNor hammers.',
  });
});

test('what is behind a refusal has made it old, unless it is said by Claude Code itself', async () => {
  const told = { type: 'system', subtype: 'turn_duration', uuid: 's1' };
  expect(await read(refused, told)).toMatchObject({ id: 'r1' });
  expect(await read(refused, prompt, told)).toBeUndefined();
});

test('another line that says so is none', async () => {
  const quoted = { ...prompt, type: 'assistant', content: content('No ladders.') };
  expect(await read(quoted)).toBeUndefined();
  expect(await read({ ...about, content: 'Update installed.' })).toBeUndefined();
});

test('a transcript that is not there, or torn, says nothing', async () => {
  expect(await readRefusal(join(dir, 'none.jsonl'))).toBeUndefined();
  writeFileSync(join(dir, 'torn.jsonl'), JSON.stringify(refused).slice(0, -20));
  expect(await readRefusal(join(dir, 'torn.jsonl'))).toBeUndefined();
});
