import { expect, test } from 'vitest';
import { PromptQueue, type Waiting } from '../../src/demo/claude/turn/prompt-queue.ts';

const waiting = (text: string, source: Waiting['source']): Waiting => ({ text, shown: text, source });
const texts = (taken: Waiting[]) => taken.map(({ text }) => text);

test('neighbours of one kind are taken together, in their order', () => {
  const queue = new PromptQueue(() => {});
  queue.add(waiting('a', 'typed'));
  queue.add(waiting('b', 'channel'));
  queue.add(waiting('one', 'task'));
  queue.add(waiting('two', 'task'));
  queue.add(waiting('c', 'typed'));
  expect(texts(queue.takeTurn())).toEqual(['a', 'b']);
  expect(texts(queue.takeTurn())).toEqual(['one', 'two']);
  expect(texts(queue.takeTurn())).toEqual(['c']);
  expect(queue.takeTurn()).toEqual([]);
});

test('the screen shows what people sent, not the news of tasks', () => {
  let shown: string[] = [];
  const queue = new PromptQueue((now) => {
    shown = now;
  });
  queue.add(waiting('one', 'task'));
  queue.add(waiting('a', 'typed'));
  expect(shown).toEqual(['a']);
  expect(texts(queue.takeAll())).toEqual(['one', 'a']);
  expect(shown).toEqual([]);
});
