import { type Check, ok, warning } from '../../../domain/views/check.ts';
import { doubtsOf } from './doubts.ts';
import { kindFor } from './kind.ts';
import { installedUnit } from './unit-file.ts';

/** For `doctor`: nothing where there is no service, which is well, too. */
export function serviceChecks(platform: NodeJS.Platform): Check[] {
  const kind = kindFor(platform);
  try {
    const there = installedUnit(kind);
    if (!there) return [];
    const doubts = doubtsOf(kind, there);
    if (doubts.length === 0) return [ok('service', 'The service is installed, and fits this release.')];
    return [warning('service', doubts.join(' '), 'Run `synthesis service install` to bring it up to date.')];
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [
      warning('service', `The ${kind.noun} of the service cannot be read: ${detail}`, 'Look at that file.'),
    ];
  }
}
