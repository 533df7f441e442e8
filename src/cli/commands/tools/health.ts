// tools health: a line for each, and an exit code for monitors.
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { healthWords } from '../../output/words/provider-words.ts';
import { lookMs, unknownProvider } from './known.ts';

export interface HealthOptions {
  state: string;
  /** All when left out. */
  provider?: string;
  json: boolean;
}

/** Exit code 7 when one is not healthy. */
export async function toolsHealth({ state, provider, json }: HealthOptions): Promise<number> {
  const every = await callBridge(state, 'tools.list', {}, { timeoutMs: lookMs });
  const views = provider === undefined ? every : every.filter((each) => each.provider === provider);
  if (provider !== undefined && views.length === 0)
    throw unknownProvider(
      provider,
      every.map((each) => each.provider),
    );
  const now = Date.now();
  for (const view of views) {
    if (json) printJson(view);
    else print(healthWords(view, now));
  }
  if (views.length === 0 && !json) say('The bridge has no provider of tools.');
  return views.every(({ status }) => status === 'healthy') ? exitCodes.ok : exitCodes.degraded;
}
