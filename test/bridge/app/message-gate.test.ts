import { expect, test } from 'vitest';
import { MessageGate } from '../../../src/bridge/app/message-gate.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const gateOf = (messagesPerMinute: number, messageCharacters = 10) => {
  const clock = new ManualClock();
  return { clock, gate: new MessageGate(clock, { messagesPerMinute, messageCharacters }) };
};

test('one more message than a minute allows is refused, and told when the next one is taken', () => {
  const { clock, gate } = gateOf(2);
  expect(gate.refuses('alice', 'one')).toBeUndefined();
  clock.advance(20_000);
  expect(gate.refuses('alice', 'two')).toBeUndefined();
  expect(gate.refuses('alice', 'three')).toBe(
    'This message was not passed on to Claude: you wrote more than 2 within a minute. What you wrote before goes on. Send it again in 40 s.',
  );
  expect(gate.refuses('bob', 'one'), 'somebody else').toBeUndefined();
  clock.advance(40_000);
  expect(gate.refuses('alice', 'three'), 'what was refused did not count').toBeUndefined();
});

test('a message is refused from one character too many on, and does not count', () => {
  const { gate } = gateOf(1, 5);
  expect(gate.refuses('alice', '123456')).toContain('6 characters, and at most 5 are taken at once');
  expect(gate.refuses('alice', '123456', 3)).toContain('Your last 3 messages were not passed on');
  expect(gate.refuses('alice', '12345')).toBeUndefined();
});
