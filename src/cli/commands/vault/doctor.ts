// vault doctor: everything that a vault depends on, looked at without a change.
import { type Check, diagnosis, ok } from '../../../domain/views/check.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson } from '../../output/out.ts';
import { showCheck } from '../../output/words/check-line.ts';
import { configFile } from '../../paths.ts';
import { bridgeView } from './index-state/bridge-view.ts';
import { bridgeCheck, diskCheck, indexChecks, memoriesCheck, notesChecks } from './index-state/checks.ts';
import { lookAtIndex } from './index-state/index-look.ts';
import { chosenVault, type VaultOf } from './setup/choice.ts';
import { meaningCheck } from './setup/meaning-check.ts';
import { memoriesDoubt } from './setup/memories-doubt.ts';

export interface DoctorOptions extends VaultOf {
  json: boolean;
}

export async function vaultDoctor({ state, profile, json }: DoctorOptions): Promise<number> {
  const choice = chosenVault(profile);
  const { settings, provider } = choice;
  const found: Check[] = [];
  const tell = (...checks: Check[]) => {
    found.push(...checks);
    if (!json) for (const check of checks) showCheck(check);
  };
  tell(ok('config', `${configFile(process.env)} names ${settings.path}`));
  const { walkNotes } = await import('../../../vault/files/walk.ts');
  const { VaultMissingError } = await import('../../../vault/files/vault-missing-error.ts');
  let walk: ReturnType<typeof walkNotes> | undefined;
  try {
    walk = walkNotes(settings.path, settings);
    tell(...notesChecks(settings, walk, profile));
  } catch (error) {
    if (!(error instanceof VaultMissingError)) throw error;
    tell(...notesChecks(settings, error, profile));
  }
  const { vaultPlaces } = await import('../../../vault/vault-dir.ts');
  const { dir } = vaultPlaces(state, settings);
  tell(...indexChecks(await lookAtIndex(dir, walk?.notes), profile));
  if (settings.embeddings !== 'none') tell(await meaningCheck(state, choice, profile));
  if (walk) tell(memoriesCheck(settings, await memoriesDoubt(settings)));
  tell(diskCheck(dir), bridgeCheck(await bridgeView(state, provider)));
  const result = diagnosis(found);
  if (json) printJson(result);
  return result.status === 'healthy' ? exitCodes.ok : exitCodes.degraded;
}
