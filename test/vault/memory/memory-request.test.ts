import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { memoryId } from '../../../src/vault/memory/entry/entry.ts';
import { noteHead } from '../../../src/vault/memory/entry/note-head.ts';
import { readRequest } from '../../../src/vault/memory/memory-request.ts';

const tagsOf = (...tags: string[]) => readRequest({ text: 'x', tags }).tags;
const linksOf = (...links: string[]) => readRequest({ text: 'x', links }).links;

test('tags are what Obsidian takes for tags, each once', () => {
  expect(
    tagsOf(
      '#House',
      'house',
      'two words',
      '2026',
      'a/b',
      '/a//b/',
      'ümläut',
      '🏠',
      '#',
      ' ',
      'x\n^id',
      'a]b',
    ),
  ).toEqual(['House', 'two-words', '_2026', 'a/b', 'ümläut', '🏠', 'x-id', 'a-b']);
});

test('titles of notes are links to them, whatever signs of links or comments they hold', () => {
  expect(
    linksOf(
      'Anna',
      'anna',
      'Projects/House.md',
      'a|b',
      '[[c]]',
      'd#e',
      'f ^g',
      '<!-- h',
      '%% i $$',
      '',
      '[[]]',
    ),
  ).toEqual(['Anna', 'Projects/House', 'a b', 'c', 'd e', 'f g', '!-- h', 'i']);
});

test('a topic of blanks is none', () => {
  expect(readRequest({ text: 'x', topic: ' \n' }).topic).toBeUndefined();
});

test('an id is of the words alone', () => {
  expect(memoryId('a b')).toMatch(/^m-[0-9a-f]{10}$/);
  expect([memoryId(' a \n b '), memoryId('a  b')]).toEqual([memoryId('a b'), memoryId('a b')]);
  expect(memoryId('A b')).not.toBe(memoryId('a b'));
});

test('tags that YAML would read as something else stay text', () => {
  const tags = ['true', 'no', '1e3', '3d', 'Memory', 'null', '_1', 'a/b'];
  const [, front = ''] = noteHead('x', tags, '2026-11-23').split('---\n');
  expect(parse(front, { version: '1.1' }).tags).toEqual([
    'memory',
    ...tags.filter((tag) => tag !== 'Memory'),
  ]);
});
