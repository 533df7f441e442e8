// Claude Code's names of what went wrong with an answer → ours, and what a chat reads. Its texts are of 2.1.332, cut.
import { expect, test } from 'vitest';
import { failureCode } from '../../../../src/bridge/claude/turn/turn-failure.ts';
import { problemText } from '../../../../src/domain/words/problem-text.ts';

const refused = {
  error: 'invalid_request',
  last_assistant_message:
    "API Error: Some Model's safeguards flagged this message (https://www.anthropic.com/legal/aup).\n\nDouble press esc to edit your last message, or try a different model with /model.",
};
const tooLong = {
  error: 'max_output_tokens',
  last_assistant_message:
    "API Error: Claude's response exceeded the 128000 output token maximum. To configure this behavior, set the CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable.",
};

test('a refusal and the output limit have names of their own', () => {
  expect(failureCode(refused)).toBe('model_refused');
  expect(failureCode(tooLong)).toBe('output_limit');
  expect(failureCode({ error: 'invalid_request', last_assistant_message: 'API Error: 400' })).toBe(
    'provider_error',
  );
  expect(failureCode({ ...refused, error: 'server_error' })).toBe('provider_error');
});

test.each([
  [
    refused,
    "⚠️ The model's safety rules stopped this answer.\n\nYour message is stored and the conversation so far is intact. The same message is likely to be stopped again: say it in other words, or ask for something else.",
  ],
  [
    tooLong,
    '⚠️ The answer became too long for the model and was cut off.\n\nWhat Claude wrote before is above, and the conversation is intact. Send "continue" for the rest, or ask for a shorter answer.',
  ],
])('a chat reads nothing of the terminal: %#', (hook, text) => {
  expect(problemText(failureCode(hook), { detail: hook.last_assistant_message })).toBe(text);
});
