// The first `up` at a terminal asks once whether the channel may be used; the answer is kept, whatever it is.
import type { Config } from '../../../protocol/settings/config.ts';
import { askForConsent, consentKey } from '../../config/channel-consent.ts';
import { readConfigFile, valueAt, withValue, writeConfigFile } from '../../config/config-file.ts';
import { say } from '../../output/out.ts';
import { Questions } from '../../questions.ts';

/**
 * Asks when it was never answered and makes a difference; without an answer nothing is started.
 * @param path of the configuration file @returns whether there is consent now
 */
export async function consentOf(config: Config, path: string): Promise<boolean> {
  const { delivery, channels } = config;
  const layer = readConfigFile(path);
  const answered = valueAt(layer, consentKey) !== undefined;
  if (answered || delivery === 'terminal' || channels.plugin !== undefined) return channels.development;
  using questions = new Questions('Nothing was started, and nothing changed.');
  const consent = await askForConsent(questions, false);
  keep(consent, path);
  return consent;
}

function keep(consent: boolean, path: string): void {
  try {
    writeConfigFile(path, withValue(readConfigFile(path), consentKey, consent));
    say(`Kept in ${path}.\nChanged by \`synthesis config set ${consentKey} ${!consent}\`.\n`);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    say(`This holds for now: it could not be written to ${path} (${detail}).\n`);
  }
}
