import { expect, test } from 'vitest';
import { isWrittenSo } from '../../../src/vault/files/spelling.ts';

/** A folder with these names, on a disk that takes names for the same that `fold` makes the same. */
function folderWith(names: readonly string[], fold: (name: string) => string) {
  let reads = 0;
  const look = (name: string) => {
    const ino = names.findIndex((each) => fold(each) === fold(name));
    return ino === -1 ? undefined : { ino, dev: 1 };
  };
  const read = () => {
    reads += 1;
    return names;
  };
  const own = (name: string) => look(name) ?? { ino: -1, dev: 1 };
  return { isThere: (name: string) => isWrittenSo(name, own(name), look, read), reads: () => reads };
}

const apart = 'Caf\u00e9.md'.normalize('NFD');
const together = 'Caf\u00e9.md';

test('where case does not count, a name is taken in the one way it is written', () => {
  const { isThere } = folderWith(['House.md', '2026.MD'], (name) => name.toLowerCase());
  expect(['House.md', 'house.md', 'HOUSE.MD', 'House.MD'].map(isThere)).toEqual([true, false, false, false]);
  expect(['2026.MD', '2026.md'].map(isThere)).toEqual([true, false]);
});

test('where accents may be written apart or together, a name is taken in the one way it is written', () => {
  const { isThere } = folderWith([apart], (name) => name.normalize('NFC'));
  expect([isThere(apart), isThere(together)]).toEqual([true, false]);
});

test('where names are told apart, the folder is not read', () => {
  const { isThere, reads } = folderWith(['House.md', 'house.md', apart, together], (name) => name);
  expect(['House.md', 'house.md', 'HOUSE.md', apart, together].map(isThere)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(reads()).toBe(0);
});
