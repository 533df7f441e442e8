import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inside } from '../../../src/vault/files/inside.ts';
import { topicFileName } from '../../../src/vault/memory/file-name.ts';

test.each([
  ['Kitchen renovation', 'Kitchen renovation'],
  ['AC/DC: live?', 'AC-DC- live'],
  ['  ..hidden  ', 'hidden'],
  ['../../etc/passwd', '-..-etc-passwd'],
  ['Notes.md', 'Notes'],
  ['What [[is]] #this^', 'What is this'],
  ['CON', '_CON'],
  ['aux.backup', '_aux.backup'],
  ['node_modules', '_node_modules'],
  ['end. . ', 'end'],
  ['Cafe\u0301', 'Café'],
  ['🏠', '🏠'],
  ['two\nlines', 'two lines'],
  ['%2e%2e%2fx', '2e 2e 2fx'],
])('topic %j is written to a file named %j', (topic, name) => {
  expect(topicFileName(topic)).toBe(name);
});

test.each(['', '...', '???', '\u202e', '/ /', '~'])('topic %j names no file', (topic) => {
  expect(topicFileName(topic)).toBeUndefined();
});

test('whatever the topic, its file is one that every system takes, and that stays in its folder', () => {
  const characters = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
  );
  fc.assert(
    fc.property(characters, (topic) => {
      const name = topicFileName(topic);
      if (name === undefined) return;
      const path = `Memories/${name} 9999.md`;
      expect([inside('/vault', path), inside('/vault', `Memories/${name}.md`)]).toEqual([
        path,
        `Memories/${name}.md`,
      ]);
      expect(name).not.toMatch(/[\\/:*?"<>|#^[\]\u0000-\u001f]|^\.|[. ]$/);
    }),
  );
});
