// What is found of a vault, as findings for people.
import { accessSync, constants, lstatSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, failed, ok, warning } from '../../../../domain/views/check.ts';
import type { VaultSettings } from '../../../../protocol/settings/vault.ts';
import type { Walk } from '../../../../vault/files/walk.ts';
import { countText } from '../../../output/live/progress-line.ts';
import { sizeText } from '../../../output/words/size-text.ts';
import { commandFor } from '../setup/choice.ts';
import type { MemoriesDoubt } from '../setup/memories-doubt.ts';
import type { BridgeView } from './bridge-view.ts';
import type { IndexLook } from './index-look.ts';
import { changesText, notesText } from './indexed-words.ts';

/** Changes that a search takes over while somebody waits for it: 600 notes a second were measured. */
const soonDone = 1_000;

/** Free space below which an index might not fit, bytes. */
const leastSpace = 200 * 1024 * 1024;

export function notesChecks(
  { path, include }: VaultSettings,
  walk: Walk | Error,
  profile: string | undefined,
): Check[] {
  if (walk instanceof Error)
    return [
      failed(
        'folder',
        `${walk.message} It is ${path}.`,
        'Mount its disk, move it back, or name another: synthesis vault init <folder> --replace',
      ),
    ];
  const folder = ok('folder', `${path} can be read.`);
  if (walk.notes.size === 0) {
    const remedy =
      'Choose which files are notes: synthesis vault init <folder> --replace --include <pattern>';
    return [folder, warning('notes', `No file fits ${include.join(', ')}.`, remedy)];
  }
  const aside = walk.skipped.length;
  const rest = aside === 0 ? '' : `, ${countText(aside)} left aside (${commandFor('status', profile)})`;
  return [folder, ok('notes', `${notesText(walk.notes.size)}${rest}`)];
}

export function indexChecks(
  { kind, damage, behind, bytes }: IndexLook,
  profile: string | undefined,
): Check[] {
  const index = `\`${commandFor('index', profile)}\``;
  switch (kind) {
    case 'none':
      return [warning('index', 'There is no index yet.', `Run ${index}.`)];
    case 'unsealed':
      return [
        warning(
          'index',
          'Whoever wrote to the index last has not come to an end.',
          `Run ${index}: it goes on from there.`,
        ),
      ];
    case 'damaged':
      return [
        failed(
          'index',
          `The index is damaged: ${damage}.`,
          `Run ${index} to make it anew, and look at the disk.`,
        ),
      ];
    case 'open': {
      const sound = ok('index', `The index is what was written, ${sizeText(bytes)}.`);
      if (behind === null) return [sound];
      if (behind === 0) return [sound, ok('fresh', 'It holds every note as it is.')];
      const lacks = `It lacks ${changesText(behind)}`;
      if (behind <= soonDone) return [sound, ok('fresh', `${lacks}, which the next search takes over.`)];
      return [sound, warning('fresh', `${lacks}.`, `Run ${index}: a search does not wait for so many.`)];
    }
  }
}

/** The folder is made with the first memory. */
export function memoriesCheck({ path, memories }: VaultSettings, doubt: MemoriesDoubt | undefined): Check {
  const name = 'memories';
  if (doubt) {
    const remedy = 'Correct `vault.memories`, `vault.include` or `vault.exclude`.';
    return (doubt.isFault ? failed : warning)(name, doubt.words, remedy);
  }
  const folder = join(path, memories);
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) {
    const why = stats.isSymbolicLink() ? 'is a link' : 'is not a folder';
    return failed(
      name,
      `${folder} ${why}: no memory can be written there.`,
      'Move it away, or name another folder in `vault.memories`.',
    );
  }
  try {
    accessSync(stats ? folder : path, constants.W_OK);
  } catch {
    return failed(
      name,
      `${stats ? folder : path} must not be written to by this user.`,
      'Claude can search, and remember nothing: give yourself leave to write there.',
    );
  }
  return ok(name, stats ? `${folder} can be written to.` : `${folder} is made with the first memory.`);
}

/** @param dir of the index */
export function diskCheck(dir: string): Check {
  const { bavail, bsize } = statfsSync(dir);
  const free = `${Math.round((bavail * bsize) / 1024 / 1024)} MB free`;
  if (bavail * bsize >= leastSpace) return ok('disk', `${free} for the index`);
  return warning('disk', `Only ${free} for the index.`, 'Make room on the disk of the state folder.');
}

export function bridgeCheck(bridge: BridgeView): Check {
  const name = 'bridge';
  switch (bridge.kind) {
    case 'none':
      return ok(name, 'No bridge runs; `synthesis up` starts it.');
    case 'without':
      return warning(
        name,
        'The running bridge does not have this vault.',
        'Run `synthesis vault init` with its folder again, or start the bridge again.',
      );
    case 'silent':
      return failed(name, bridge.error.message, bridge.error.suggestion);
    case 'with': {
      const { provider, status, reason } = bridge.view;
      if (status === 'healthy') return ok(name, `The running bridge has it: ${provider}`);
      const words = `The running bridge has it, and says ${status}${reason === null ? '' : `: ${reason}`}`;
      const look = `Run \`synthesis tools inspect ${provider}\` to see more.`;
      return status === 'degraded' ? warning(name, words, look) : failed(name, words, look);
    }
  }
}
