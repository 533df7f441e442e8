// What is pinned, what `doctor` calls proven, what the README names and what was recorded is one release of each peer.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { provenClaude } from '../../src/bridge/claude/process/preflight.ts';
import { provenOpenClaw } from '../../src/bridge/openclaw/openclaw-cli.ts';
import { type Peer, peers, readRecording } from './recording.ts';

const root = resolve(import.meta.dirname, '../..');
const { dependencies, allowScripts } = JSON.parse(
  readFileSync(resolve(root, 'test/real/package.json'), 'utf8'),
) as { dependencies: Record<string, string>; allowScripts: Record<string, boolean> };

test.each<[peer: Peer, proven: string]>([
  ['claude-code', provenClaude],
  ['openclaw', provenOpenClaw],
])('%s is pinned, proven and recorded at the same release', (peer, proven) => {
  const pinned = dependencies[peers[peer]];
  expect({ proven, recorded: readRecording(peer)?.version }).toEqual({ proven: pinned, recorded: pinned });
  expect(allowScripts[`${peers[peer]}@${pinned}`]).toBe(true);
});

test('the README names the release of Claude Code that was proven', () => {
  expect(readFileSync(resolve(root, 'README.md'), 'utf8')).toContain(`(tested with ${provenClaude})`);
});
