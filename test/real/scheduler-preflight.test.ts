// Before a scheduled run OpenClaw asks a local provider for its models, without a token.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { SmallBridge } from '../support/small-bridge.ts';
import { isolatedHome } from './support/isolated-home.ts';
import { cleanEnv, openclawPath } from './support/peers.ts';

const preflightModule = () => join(dirname(realpathSync(openclawPath())), 'dist/model-preflight.runtime.js');

/** What the real OpenClaw's own look says of a provider at this address. */
async function preflight(baseUrl: string): Promise<string> {
  await using home = await isolatedHome('preflight');
  const config = { models: { providers: { synthesis: { baseUrl, api: 'openai-completions' } } } };
  const asked = { cfg: config, provider: 'synthesis', model: 'claude' };
  const script = `const { preflightCronModelProvider } = await import(${JSON.stringify(preflightModule())});
    console.log((await preflightCronModelProvider(${JSON.stringify(asked)})).status);`;
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script], {
    env: cleanEnv(home.path),
    extendEnv: false,
    cwd: home.path,
    timeout: 60_000,
  });
  return stdout.trim();
}

test('the scheduler takes a bridge that wants a token for one that is there, and sees when none is', async () => {
  let url: string;
  {
    await using bridge = await SmallBridge.start();
    url = `${bridge.url}/v1`;
    expect((await fetch(`${url}/models`)).status).toBe(401);
    expect(await preflight(url)).toBe('available');
  }
  expect(await preflight(url)).toBe('unavailable');
});
