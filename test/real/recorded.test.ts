// What the real peers show to the outside is what was recorded of the pinned releases. With RECORDINGS, a folder, it
// is written there instead: `npm run test:real -- --record`, and `-- --latest`, which compares the two.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changesBetween } from '../recorded/changes.ts';
import { type Peer, type Recording, readRecording } from '../recorded/recording.ts';
import { type EchoProvider, echoProvider } from './support/echo-provider.ts';
import { type IsolatedHome, isolatedHome } from './support/isolated-home.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
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

describe('OpenClaw', () => {
  let home: IsolatedHome;
  let provider: EchoProvider;
  let openclaw: RealOpenClaw;
  beforeAll(async () => {
    home = await isolatedHome('openclaw');
    provider = await echoProvider();
    openclaw = await RealOpenClaw.start(home.path, { baseUrl: provider.baseUrl, apiKey: 'any' });
  });
  afterAll(async () => {
    await openclaw?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  test('OpenClaw sends and offers what was recorded', async () => {
    judge('openclaw', await recordOpenClaw(openclaw, provider));
  });

  test('the real OpenClaw sends one session key as one conversation and a second one as another', async () => {
    const before = provider.requests.length;
    expect(await openclaw.agent('agent:main:first', 'hello')).toBe('echo of 3 messages');
    expect(await openclaw.agent('agent:main:first', 'again')).toBe('echo of 5 messages');
    expect(await openclaw.agent('agent:main:second', 'hello')).toBe('echo of 3 messages');
    const keys = provider.requests.slice(before).map(({ body }) => body.prompt_cache_key);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}:0$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});
