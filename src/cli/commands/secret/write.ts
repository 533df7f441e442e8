import { readConfigFile, withValue } from '../../config/config-file.ts';
import { proveOffline } from '../../operator-proof/offline.ts';
import { say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { configFile } from '../../paths.ts';
import { writeJudged } from '../config/config-judgement.ts';

/** Asks for a proof of the secret that is configured, if there is one. @throws CliError; nothing was changed */
export const proveOld = (state: string, next: unknown): Promise<void> =>
  proveOffline({
    state,
    configFile: configFile(process.env),
    method: 'config.set',
    params: { key: 'operator.secret', value: next ?? null },
  });

/** Writes the secret into the configuration. @param secret undefined takes it out */
export async function writeSecret(secret: unknown, json: boolean): Promise<void> {
  const path = configFile(process.env);
  const before = readConfigFile(path);
  const { doubts } = await writeJudged(
    path,
    before,
    withValue(before, 'operator.secret', secret),
    process.env,
  );
  if (json) return;
  say(`Written to ${path}. It holds from the next start of the bridge on: \`synthesis up -d --replace\`.`);
  for (const words of doubts) say(safeLine(words));
}
