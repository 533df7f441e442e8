import { expect, test } from 'vitest';
import { toolInputs } from './tool-inputs.ts';

const input = {
  type: 'object',
  properties: { command: { type: 'string', description: 'What to run' }, description: { type: 'string' } },
  required: ['command'],
};
const print = (schema: unknown) => toolInputs([{ name: 'Bash', input: schema }]).Bash;

test('a tool changes with the fields of its input, not with their order or their prose', () => {
  const { description, command } = input.properties;
  const turned = {
    ...input,
    properties: { description, command: { ...command, description: 'Other words' } },
  };
  expect(print(turned)).toBe(print(input));
  expect(print({ ...input, required: [] })).not.toBe(print(input));
  expect(print({ ...input, properties: { command } })).not.toBe(print(input));
  expect(print({ ...input, properties: { ...input.properties, timeout: {} } })).not.toBe(print(input));
});

test('tools are in order, and one without a schema has a fingerprint as well', () => {
  const tools = toolInputs([
    { name: 'b', input: undefined },
    { name: 'a', input: {} },
  ]);
  expect(Object.keys(tools)).toEqual(['a', 'b']);
  expect(tools.b).toMatch(/^[0-9a-f]{12}$/);
});
