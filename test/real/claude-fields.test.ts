// The fields of Claude Code's own tools, as the installed package tells them, against the policy's table.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { claudeFields } from '../../src/domain/policy/meaning/claude-fields.ts';
import { lookupsOf } from '../../src/domain/policy/meaning/table.ts';

test('the policy knows every field that Claude Code’s own tools have, by the types in its package', () => {
  const types = readFileSync(
    createRequire(new URL('./package.json', import.meta.url)).resolve(
      '@anthropic-ai/claude-code/sdk-tools.d.ts',
    ),
    'utf8',
  );
  const fieldsOf = (type: string) => {
    const body = new RegExp(`^export interface ${type} \\{\n(.*?)^\\}`, 'ms').exec(types)?.[1] ?? '';
    return [...body.matchAll(/^ {2}"?([\w-]+)"?\??: /gm)].map(([, name = '']) => name);
  };
  const inputs = { Read: 'FileReadInput', Write: 'FileWriteInput', Edit: 'FileEditInput' } as Record<
    string,
    string
  >;
  let seen = 0;
  for (const tool of Object.keys(claudeFields)) {
    const names = fieldsOf(inputs[tool] ?? `${tool}Input`);
    seen += names.length;
    const lookup = lookupsOf(claudeFields).get(tool);
    const unknown = names.filter((name) => !lookup?.(name) && !lookup?.(`${name}[].x`));
    const nested = ['edits', 'ws'];
    expect([tool, unknown.filter((name) => !nested.includes(name))]).toEqual([tool, []]);
  }
  expect(seen).toBeGreaterThan(80);
});
