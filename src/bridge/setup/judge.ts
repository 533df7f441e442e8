// What can be said of a configuration before anything runs. `config set` refuses what makes it worse, `up` and `doctor`
// say it: one judgement for all three.
import { resolve } from 'node:path';
import type { Config } from '../../protocol/settings/config.ts';
import { ownFiles } from '../own-files.ts';
import { consentFindings } from './channel.ts';
import { containFindings } from './contain.ts';
import type { Finding } from './finding.ts';
import { exposureFindings, judged } from './folders.ts';
import { modeFindings } from './modes.ts';
import { secretFindings } from './operator-secret.ts';
import { policyFindings } from './policy.ts';
import { auditFindings, claudeFindings } from './programs.ts';
import { sandboxFindings } from './sandbox.ts';
import { tokenFindings } from './tokens.ts';
import { trustFindings } from './trust.ts';
import { type WorkPlace, workPlaces } from './work-places.ts';

export interface Surroundings {
  stateDir: string;
  configFile: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Everything that stands in the way of the configuration, or will. */
export async function judge(config: Config, { stateDir, configFile, env }: Surroundings): Promise<Finding[]> {
  const places = workPlaces(config, config.cwd === undefined ? undefined : resolve(config.cwd));
  const { sound, faults } = await judged(places);
  return [
    ...claudeFindings(config.claude, env.PATH),
    ...faults,
    ...exposureFindings(sound, ownFiles(stateDir, configFile, config, env)),
    ...((await trustFindings(sound, env)) ?? []),
    ...consentFindings(config),
    ...modeFindings(config, { uid: process.geteuid?.(), env }),
    ...(await sandboxFindings(config, foldersOf(sound), env)),
    ...(await containFindings(config, foldersOf(sound), env)),
    ...policyFindings(config),
    ...auditFindings(config.audit, env.PATH),
    ...tokenFindings(config),
    ...(await secretFindings(config, stateDir)),
  ];
}

const foldersOf = (places: readonly WorkPlace[]): string[] => places.map(({ folder }) => folder);
