import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shapeOf } from './shape.ts';

test('samples of one thing become its keys and types, in order, with what some of them lack', () => {
  const samples = [
    { b: 1, a: 'x', list: [{ role: 'user', content: 'hi' }] },
    { a: null, list: [{ role: 'tool', content: [{ text: 'x' }] }, 7] },
  ];
  expect(Object.entries(shapeOf(samples))).toEqual([
    ['a', 'null or string'],
    ['b', 'number or absent'],
    ['list', 'array'],
    ['list[]', 'number or object'],
    ['list[].content', 'array or string'],
    ['list[].content[]', 'object'],
    ['list[].content[].text', 'string'],
    ['list[].role', 'string'],
  ]);
});

test('what is below a closed path is not looked at', () => {
  const tools = [{ name: 'read', parameters: { type: 'object' } }];
  expect(shapeOf([{ tools }], ['tools[].parameters'])).toEqual({
    tools: 'array',
    'tools[]': 'object',
    'tools[].name': 'string',
    'tools[].parameters': 'object',
  });
});

test('neither the order of samples nor that of keys changes a shape, and no value is in it', () => {
  const secret = 'sécret value';
  const sample = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.constantFrom(secret, 1, null, [secret], { a: secret }),
  );
  fc.assert(
    fc.property(fc.array(sample), (samples) => {
      const turned = samples
        .toReversed()
        .map((each) => Object.fromEntries(Object.entries(each).toReversed()));
      expect(JSON.stringify(shapeOf(turned))).toBe(JSON.stringify(shapeOf(samples)));
      expect(JSON.stringify(shapeOf(samples))).not.toContain(secret);
    }),
  );
});
