// What an operator types for a session: also what `ps` calls it, which for a chat of OpenClaw is not its key.
import { expect, test } from 'vitest';
import {
  newLabel,
  resolveSession,
  resolveWhole,
  sessionId,
} from '../../../src/bridge/app/operator/session-ref.ts';

const main = { key: 'agent:main:main' };
const topic = { key: 'agent:main:telegram:group:-100777:topic:42' };

test.each([resolveSession, resolveWhole])('what a list calls a session finds it (%o)', (find) => {
  expect(find([main, topic], 'main')).toBe(main);
  expect(find([main, topic], 'telegram group -100777 topic 42')).toBe(topic);
  expect(find([main, { key: 'mainframe' }, { key: 'b', label: 'main road' }], 'main')).toBe(main);
});

test("a key, an id and a name of somebody's own go before it", () => {
  const key = { key: 'main' };
  expect(resolveSession([main, key], 'main')).toBe(key);
  const label = { key: 'notes', label: 'main' };
  expect(resolveSession([main, label], 'main')).toBe(label);
});

test('a session with a name of its own is shown by that alone', () => {
  expect(() => resolveSession([{ ...main, label: 'home' }], 'main')).toThrow('There is no session "main".');
});

test('two that would be shown alike are told apart by their ids', () => {
  const jobs = [{ key: 'agent:main:cron:nightly' }, { key: 'openclaw-cron-nightly' }] as const;
  expect(() => resolveSession(jobs, 'cron nightly')).toThrow(
    `"cron nightly" fits 2 sessions: ${jobs.map(({ key }) => `${sessionId(key)} (${key})`).join(', ')}.`,
  );
});

test('nothing else may be called as another one is shown', () => {
  expect(() => newLabel([main, topic], topic.key, 'Main')).toThrow(
    `"Main" already means ${sessionId(main.key)} (agent:main:main).`,
  );
  expect(newLabel([main, topic], main.key, 'main')).toBe('main');
});
