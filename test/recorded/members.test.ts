import { expect, test } from 'vitest';
import { membersOf, openBefore, valueEnd } from './members.ts';

test('members are told apart by the commas between them, not by those in texts, patterns, templates and brackets', () => {
  const template = '`t, $' + '{f(`,}`,{g:1})}`';
  const source = `x={a:()=>r().describe('one, {two}'),"b c":s(/[,}\\/]+,/.test(y)),...z,d:${template},e:u({f:r(),g:1}),h:4/2};`;
  expect([...membersOf(source, 2)]).toEqual([
    ['a', "()=>r().describe('one, {two}')"],
    ['b c', 's(/[,}\\/]+,/.test(y))'],
    ['d', template],
    ['e', 'u({f:r(),g:1})'],
    ['h', '4/2'],
  ]);
});

test('an object and a value that are cut off end where the text ends', () => {
  expect([...membersOf('{a:1,b:"never closed', 0).keys()]).toEqual(['a', 'b']);
  expect(valueEnd('f(1,2', 0)).toBe(5);
  expect(openBefore('a:1}', 3)).toBe(-1);
});

test('the object around a place is found past the objects before it', () => {
  const source = 'u({a:{b:1},c:2})';
  expect(openBefore(source, source.indexOf('c:'))).toBe(2);
});
