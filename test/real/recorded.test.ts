// What the real peers show to the outside is what was recorded of the pinned releases. With RECORDINGS, a folder, it
// is written there instead: `npm run test:real -- --record`, and `-- --latest`, which compares it then.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesBetween } from '../recorded/changes.ts';
import { type Peer, type Recording, readRecording } from '../recorded/recording.ts';
import { recordClaude } from './support/record-claude.ts';
import { recordOpenClaw } from './support/record-openclaw.ts';

const folder = process.env.RECORDINGS;

function judge(peer: Peer, seen: Recording): void {
  if (folder === undefined) {
    const recorded = readRecording(peer);
    expect(seen.version).toBe(recorded?.version);
    expect(recorded && changesBetween(recorded, seen)).toEqual([]);
    return;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${peer}.json`), `${JSON.stringify(seen, undefined, 2)}\n`);
}

test('Claude Code draws, reports and offers what was recorded', async () => {
  judge('claude-code', await recordClaude(readRecording('claude-code')?.screens ?? {}));
});

test('OpenClaw sends and offers what was recorded', async () => {
  judge('openclaw', await recordOpenClaw());
});
