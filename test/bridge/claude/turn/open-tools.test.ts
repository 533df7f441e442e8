import { expect, test } from 'vitest';
import { OpenTools } from '../../../../src/bridge/claude/turn/open-tools.ts';

const command = { command: 'rm x' };

test('a question is about the newest open call of its agent, with its tool and input', () => {
  const tools = new OpenTools();
  tools.started('u1', 'Bash', command, undefined);
  tools.started('u2', 'Bash', command, undefined);
  tools.started('u3', 'Bash', { command: 'ls' }, undefined);
  tools.started('u4', 'Read', command, undefined);
  tools.started('u5', 'Bash', command, 'a1');
  expect(tools.find('Bash', command, undefined)).toBe('u2');
  tools.ended('u2');
  expect([tools.find('Bash', command, undefined), tools.isOpen('u2')]).toEqual(['u1', false]);
  expect(tools.find('Bash', command, 'a1')).toBe('u5');
});

test('the end of an agent ends its calls, and the end of a turn those of the main thread', () => {
  const tools = new OpenTools();
  for (const [id, agent] of [['u1'], ['u2', 'a1'], ['u3', 'a2']] as const)
    tools.started(id, 'Bash', command, agent);
  const open = () => ['u1', 'u2', 'u3'].filter((id) => tools.isOpen(id));
  expect(['u1', 'u2', 'u3', 'u4'].map((id) => tools.ownerOf(id))).toEqual([undefined, 'a1', 'a2', undefined]);
  tools.over('a1');
  expect(open()).toEqual(['u1', 'u3']);
  tools.over();
  expect(open()).toEqual(['u3']);
});

test('calls whose end never comes are forgotten', () => {
  const tools = new OpenTools();
  for (let n = 0; n <= 64; n += 1) tools.started(`u${n}`, 'Bash', command, undefined);
  expect([tools.isOpen('u0'), tools.isOpen('u1')]).toEqual([false, true]);
});
