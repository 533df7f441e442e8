import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Batch, MessageDisplay } from '../../src/demo/claude/hooks/message-display.ts';
import { runs } from '../support/runs.ts';

test('joined deltas are the text, indexes count up, only the last batch is final', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string(), { minLength: 1 }), fc.boolean(), async (lines, slow) => {
      const batches: Batch[] = [];
      const display = new MessageDisplay(async (batch) => {
        batches.push(batch);
        if (slow) await new Promise((done) => setImmediate(done));
      });
      for (const line of lines) display.push(`${line}\n`);
      await display.finish('end');
      expect(batches.map(({ delta }) => delta).join('')).toBe(`${lines.join('\n')}\nend`);
      expect(batches.map(({ index }) => index)).toEqual(batches.map((_, at) => at));
      expect(batches.map(({ final }) => final)).toEqual(batches.map((_, at) => at === batches.length - 1));
    }),
    { numRuns: runs(50) },
  );
});

test('lines that come while a handler is busy travel together', async () => {
  const batches: string[] = [];
  const first = Promise.withResolvers<void>();
  const display = new MessageDisplay(async ({ delta }) => {
    batches.push(delta);
    if (batches.length === 1) await first.promise;
  });
  display.push('a\n');
  display.push('b\n');
  display.push('c\n');
  first.resolve();
  await display.finish('');
  expect(batches).toEqual(['a\n', 'b\nc\n']);
});

test('a dropped message has no final batch', async () => {
  const batches: Batch[] = [];
  const display = new MessageDisplay(async (batch) => batches.push(batch));
  display.drop();
  await display.finish('rest');
  expect(batches).toEqual([]);
});
