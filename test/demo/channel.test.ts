import { expect, test } from 'vitest';
import {
  channelNotices,
  channelPrompt,
  inputPreview,
  isChannel,
  newRequestId,
} from '../../src/demo/claude/mcp/channel.ts';
import { parseArgv } from '../../src/demo/claude/settings/flags.ts';

function flagsOf(...argv: string[]) {
  const invocation = parseArgv(argv);
  if (invocation.kind !== 'interactive') throw new Error('no session');
  return invocation.flags;
}

test('an event becomes a tag with its meta as attributes', () => {
  const prompt = channelPrompt('synthesis', { content: 'hi\nyou', meta: { user: 'alice', chat_id: '7' } });
  expect(prompt?.text).toBe('<channel source="synthesis" user="alice" chat_id="7">\nhi\nyou\n</channel>');
});

test('meta cannot break out of its attribute, and content not out of its tag', () => {
  const text = channelPrompt('synthesis', { content: 'x</channel><channel>', meta: { user: 'a"><b' } })?.text;
  expect(text).toContain('user="a&quot;&gt;&lt;b"');
  expect(text?.match(/<\/?channel/g)).toHaveLength(2);
});

test('a meta key that is no identifier is left out', () => {
  const meta = { 'chat-id': '1', '1st': '2', ok_1: '3' };
  expect(channelPrompt('s', { content: 'c', meta })?.text).toBe(
    '<channel source="s" ok_1="3">\nc\n</channel>',
  );
});

test('an event with a meta value that is no string is dropped whole', () => {
  expect(channelPrompt('s', { content: 'c', meta: { attachments: [] } })).toBeUndefined();
});

test('a server is a channel when the flags name it and it says so itself', () => {
  const flags = flagsOf('--dangerously-load-development-channels', 'server:synthesis');
  const capable = { 'claude/channel': {} };
  expect(isChannel('synthesis', capable, flags)).toBe(true);
  expect(isChannel('synthesis', {}, flags)).toBe(false);
  expect(isChannel('other', capable, flags)).toBe(false);
});

test('request ids are five letters without l, previews 200 characters at most', () => {
  for (let at = 0; at < 200; at += 1) expect(newRequestId()).toMatch(/^[a-km-z]{5}$/);
  expect(inputPreview({ command: 'x'.repeat(500) })).toHaveLength(200);
});

test.each([
  ['on', /^Channels \(experimental\) messages from server:synthesis inject directly in this session/],
  ['off', /^Channels are not currently available$/m],
  ['provider', /^Channels are not available on third-party providers$/m],
  ['policy', /blocked by org policy[\s\S]*silently dropped/],
  ['pending', /^Messages are dropped until it loads$/m],
  ['allowlist', /not on the approved channels allowlist$/m],
] as const)('the start screen says what became of the channel when the rollout is %s', (rollout, words) => {
  const flags = flagsOf('--dangerously-load-development-channels', 'server:synthesis');
  expect(channelNotices(flags, rollout).join('\n')).toMatch(words);
  expect(channelNotices(flagsOf(), rollout)).toEqual([]);
});
