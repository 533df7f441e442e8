import { expect, test } from 'vitest';
import { readRequest } from '../real/support/messages-request.ts';

const said = { role: 'user', content: 'use a tool' };
const used = { role: 'assistant', content: [{ type: 'tool_use', name: 'Bash', input: {} }] };
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ran' }] };
const reminder = '<system-reminder>\nUse them.\n</system-reminder>';

test.each([
  ['nothing', []],
  ['a message in the role system', [{ role: 'system', content: 'These tools are there by now.' }]],
  ['a message of reminders', [{ role: 'user', content: [{ type: 'text', text: reminder }] }]],
])('a tool result is the last message, with %s behind it', (_, added) => {
  const { toolResults, last, newest } = readRequest(
    '/v1/messages',
    {},
    {
      messages: [said, used, result, ...added],
    },
  );
  expect({ toolResults, last, newest }).toEqual({
    toolResults: ['toolu_1'],
    last: result.content,
    newest: 'use a tool',
  });
});

test('words behind a tool result, also those in its own message, are the newest', () => {
  const words = { type: 'text', text: 'stop' };
  const read = (...messages: object[]) =>
    readRequest('/v1/messages', {}, { messages: [said, used, ...messages] as never });
  expect(read(result, { role: 'user', content: 'stop' })).toMatchObject({ toolResults: [], newest: 'stop' });
  expect(read({ role: 'user', content: [...result.content, words] })).toMatchObject({
    toolResults: ['toolu_1'],
    newest: 'stop',
  });
});
