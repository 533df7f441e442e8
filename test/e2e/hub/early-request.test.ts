// A hub that tries again and again reaches a bridge that is only just starting.
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { House } from '../support/house.ts';

const preload = resolve(import.meta.dirname, '../support/held-socket.ts');

test('a message that comes while the bridge still opens its sockets goes on with its conversation', async () => {
  await using house = await House.open();
  expect(await house.bridge.ask('a', 'hello')).toContain('I remember 0 earlier messages');
  const client = house.bridge.client('a');
  await house.bridge.end();

  const hold = join(house.cwd, 'hold');
  writeFileSync(hold, '');
  const env = { NODE_OPTIONS: `--import ${preload}`, HELD_SOCKET: hold };
  const starting = house.up({ args: house.flags, env });
  const body = { model: 'claude', messages: [{ role: 'user' as const, content: 'again' }] };
  const answer = await until(
    'a bridge that takes the message',
    () => client.chat.completions.create({ ...body, stream: true }).catch(() => undefined),
    20_000,
  );
  expect(house.rows('turn.queued')).toHaveLength(2);
  rmSync(hold);
  house.bridge = await starting;
  let text = '';
  for await (const chunk of answer) text += chunk.choices[0]?.delta.content ?? '';
  expect(text).toContain('I remember 1 earlier message');
  expect(house.rows('session.opened')).toHaveLength(1);
});
