import { callBridge } from '../client/control-client.ts';
import { exitCodes } from '../exit-codes.ts';
import { print } from '../output/out.ts';

export async function metrics({ state }: { state: string }): Promise<number> {
  const { text } = await callBridge(state, 'bridge.metrics', {}, { timeoutMs: 10_000 });
  print(text.trimEnd());
  return exitCodes.ok;
}
