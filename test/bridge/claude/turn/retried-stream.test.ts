import { expect, test } from 'vitest';
import { lines } from '../../../domain/turns/recorded.ts';
import { HookedRun, outcome } from '../hooked-run.ts';
import { replay } from './replay.ts';

const said = (hooked: HookedRun): string => String(hooked.session.turns.at(-1)?.answer.text);
const again = { message_id: 'm2', index: 0 };

test('the real Claude Code tries again behind a broken stream, and readers get its words once', () => {
  expect(said(replay(lines('retry-cut')))).toBe('The kettle is too short.\nThe harbour is too short.\n');
});

function working(): HookedRun {
  const hooked = new HookedRun();
  hooked.working();
  hooked.say('Let me look.\n');
  return hooked;
}

test('what is said again behind a tool is said on purpose', () => {
  const hooked = working();
  hooked.hook('PreToolUse', { tool_name: 'Read', tool_input: {}, tool_use_id: 'u1' });
  hooked.hook('PostToolUse', { tool_name: 'Read', tool_input: {}, tool_use_id: 'u1', tool_response: '' });
  hooked.say('Let me look.\nFound.\n', again);
  hooked.stop('Let me look.\nFound.');
  expect(outcome(hooked.turn('t'))).toEqual(['completed', 'Let me look.\n\nLet me look.\nFound.\n']);
});

test('so is what another Stop hook makes Claude say, in a turn of its own and in the same one', () => {
  const hooked = working();
  hooked.stop('Let me look.');
  hooked.say('Let me look.\nFound.\n', again);
  hooked.stop('Let me look.\nFound.');
  hooked.clock.advance(5000);
  expect(said(hooked)).toBe('Let me look.\nFound.\n');

  hooked.working('t2', 'and now', 'q');
  hooked.say('Let me look.\n');
  hooked.stop('Let me look.');
  hooked.say('Let me look.\nFound.\n', again);
  hooked.stop('Let me look.\nFound.');
  hooked.clock.advance(5000);
  expect(outcome(hooked.turn('t2'))).toEqual(['completed', 'Let me look.\n\nLet me look.\nFound.\n']);
});

test("an agent's tools are not between what the main thread says", () => {
  const hooked = working();
  hooked.hook('PreToolUse', { tool_name: 'Read', tool_input: {}, tool_use_id: 'u1', agent_id: 'a' });
  hooked.say('Let me look.\nFound.\n', again);
  hooked.stop('Let me look.\nFound.');
  expect(outcome(hooked.turn('t'))).toEqual(['completed', 'Let me look.\nFound.\n']);
});
