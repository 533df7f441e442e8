// What an operator copies from a message into a shell.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { hashId } from '../../src/base/digest.ts';
import { shellWord } from '../../src/base/text/plain-word.ts';
import { hostNotices } from '../../src/bridge/wiring/start/host-notices.ts';
import { commandRef } from '../../src/domain/command-ref.ts';
import { remedyText } from '../../src/domain/words/problem-text.ts';
import { FailureCode } from '../../src/protocol/events/failures.ts';

const hostile = ['a;reboot', 'a|sh', '$(id)', 'a<b', 'a b', "a'b", '-y', '~', 'a\nb', '', 'k'.repeat(300)];

test.each(['agent:main:telegram:group:-100123:topic:42', 'notes', 'a@b.c/d+e'])(
  '%s is named by itself, so that one sees what is meant',
  (key) => {
    expect(commandRef(key)).toBe(key);
    expect(remedyText('start_dialog', { session: key })).toContain(`synthesis attach ${key} --terminal`);
  },
);

test.each(hostile)('a key that a shell reads as more than a word is named by its id: %j', (key) => {
  const id = hashId(key, 12);
  expect(commandRef(key)).toBe(id);
  for (const code of FailureCode.options) {
    const commands = remedyText(code, { session: key }).match(/`synthesis [^`]*`/g) ?? [];
    for (const command of commands) expect(command).toMatch(/^`synthesis [\w <>-]+`$/);
  }
  const [notice] = hostNotices([], [{ key, state: 'idle', pid: 7 }]);
  expect(notice?.words).toContain(`\`synthesis restart ${id}\``);
});

test('what somebody has typed is quoted for a shell where it has to be', () => {
  expect(shellWord('my-notes')).toBe('my-notes');
  const words = hostile.map(shellWord).join(' ');
  const read = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' });
  expect(read.split('\0').slice(0, -1)).toEqual(hostile);
});
