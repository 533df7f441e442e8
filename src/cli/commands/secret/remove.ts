import { readConfigFile, valueAt } from '../../config/config-file.ts';
import { exitCodes } from '../../exit-codes.ts';
import { say } from '../../output/out.ts';
import { configFile } from '../../paths.ts';
import { proveOld, writeSecret } from './write.ts';

/** Takes the secret out of the configuration, once it is proven. */
export async function secretRemove({ state }: { state: string }): Promise<number> {
  if (valueAt(readConfigFile(configFile(process.env)), 'operator.secret') === undefined) {
    say('No operator secret is configured. Nothing was changed.');
    return exitCodes.ok;
  }
  await proveOld(state, undefined);
  await writeSecret(undefined, false);
  return exitCodes.ok;
}
