import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf, toolCall } from '../../../../src/bridge/ingress/agp/tool-call.ts';
import { ToolCall, ToolCallKind } from '../../../../src/protocol/wire/agp.ts';
import { runs } from '../../../support/runs.ts';

test.each([
  ['Read', {}, 'read'],
  ['Write', {}, 'edit'],
  ['Edit', {}, 'edit'],
  ['NotebookEdit', {}, 'edit'],
  ['Bash', { command: 'npm test' }, 'execute'],
  ['Bash', { command: 'rm -rf build' }, 'delete'],
  ['Bash', { command: 'rm -rf build && npm test' }, 'execute'],
  ['Bash', { command: 'rmate file' }, 'execute'],
  ['Grep', {}, 'search'],
  ['Glob', {}, 'search'],
  ['WebSearch', {}, 'search'],
  ['WebFetch', {}, 'fetch'],
  ['Agent', {}, 'think'],
  ['TodoWrite', {}, 'think'],
  ['mcp__files__delete_file', {}, 'delete'],
  ['mcp__files__read_file', {}, 'read'],
  ['mcp__vault__search', {}, 'search'],
  ['mcp__web__fetch_page', {}, 'fetch'],
  ['mcp__shell__run_command', {}, 'execute'],
  ['mcp__synthesis__reply', {}, 'other'],
  ['Unheard', {}, 'other'],
  ['constructor', {}, 'other'],
])('%s %j is shown as %s', (tool, input, kind) => {
  expect(kindOf({ id: 'u', tool, input })).toBe(kind);
});

test('every kind of the protocol is given to something', () => {
  const tools = ['Read', 'Edit', 'mcp__x__delete', 'Bash', 'Grep', 'WebFetch', 'Task', 'Else'];
  const given = tools.map((tool) => kindOf({ id: 'u', tool }));
  expect(new Set(given)).toEqual(new Set(ToolCallKind.options));
});

test('the title is one short line that says what it is about', () => {
  const title = (tool: string, input: unknown) => toolCall({ id: 'u', tool, input }, 'in_progress').title;
  expect(title('Bash', { command: 'npm\n  test', description: '' })).toBe('Bash: npm test');
  expect(title('Bash', { command: 'npm test', description: 'Run the tests' })).toBe('Bash: Run the tests');
  expect(title('Read', undefined)).toBe('Read');
  expect(title('Grep', { pattern: 'x'.repeat(500) })).toHaveLength(101);
});

test('only absolute paths are places, each once; output is shown when it is completed, and not all of a long one', () => {
  const use = { id: 'u', tool: 'Edit', input: { file_path: '/w/a', path: '/w/a', notebook_path: 'b' } };
  expect(toolCall(use, 'in_progress', 'x')).not.toHaveProperty('content');
  const call = toolCall(use, 'completed', 'o'.repeat(5_000));
  expect(call.locations).toEqual([{ path: '/w/a' }]);
  expect(call.content?.[0]?.text).toMatch(/3800 characters not shown/);
});

test('whatever Claude Code calls it and gives it, the result is a tool call of the protocol without control characters', () => {
  const status = fc.constantFrom(
    'pending' as const,
    'in_progress' as const,
    'completed' as const,
    'failed' as const,
  );
  const text = fc.string({ unit: 'binary' });
  const input = fc.oneof(
    fc.constantFrom<unknown>(undefined, null, 7, 'text', ['list'], { command: 7, path: {} }),
    fc.record({
      file_path: fc.oneof(
        text,
        text.map((path) => `/${path}`),
      ),
      command: text,
    }),
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), text, input, status, text, (id, tool, given, state, output) => {
      const call = ToolCall.parse(toolCall({ id, tool, input: given }, state, output));
      const shown = [
        call.title,
        ...(call.locations ?? []).map((place) => place.path),
        call.content?.[0]?.text,
      ];
      for (const each of shown) {
        expect(each ?? '').not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect((each ?? '').isWellFormed()).toBe(true);
      }
    }),
    { numRuns: runs(60) },
  );
});
