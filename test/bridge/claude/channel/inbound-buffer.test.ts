import { expect, test } from 'vitest';
import { InboundBuffer } from '../../../../src/bridge/claude/channel/inbound-buffer.ts';

const message = (request_id: string, content = '') => ({ request_id, content });

test('above its limit the oldest message falls out and is named', () => {
  const buffer = new InboundBuffer(2);
  expect(buffer.add(message('a'))).toBeUndefined();
  expect(buffer.add(message('b'))).toBeUndefined();
  expect(buffer.add(message('c'))).toEqual(message('a'));
  expect(buffer.all().map(({ request_id }) => request_id)).toEqual(['b', 'c']);
});

test('a repeated id takes no second place', () => {
  const buffer = new InboundBuffer(1);
  buffer.add(message('a', 'one'));
  expect(buffer.add(message('a', 'two'))).toBeUndefined();
  expect(buffer.all()).toEqual([message('a', 'two')]);
});

test('a confirmed message is removed once', () => {
  const buffer = new InboundBuffer(5);
  buffer.add(message('a'));
  expect(buffer.remove('a')).toBe(true);
  expect(buffer.remove('a')).toBe(false);
});
