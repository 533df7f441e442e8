// What the metrics are read from when somebody asks.
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import type { BridgeStatus } from '../../../domain/views/control.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import type { OpenedJournal } from '../../journal/open-journal.ts';
import { Metrics } from '../../metrics/metrics.ts';
import { hostFolders } from '../../terminal/host-folders.ts';
import { auditDesk } from '../journal/journal-view.ts';

interface HealthParts {
  opened: OpenedJournal;
  stateDir: string;
  dispatcher: Dispatcher;
  status(): BridgeStatus;
}

/** How the bridge is, for whoever asks: in words, and in numbers. */
export interface BridgeHealth {
  status(): BridgeStatus;
  metrics: Metrics;
}

export function bridgeHealth({ opened, stateDir, dispatcher, status }: HealthParts): BridgeHealth {
  const { journal } = opened;
  const { stats } = auditDesk(opened, systemClock.wall);
  const metrics = new Metrics({
    now: systemClock.now,
    durable: (seq) => journal.durable(seq),
    look: async () => {
      const free = await freeBytes(stateDir);
      const { health, last, stored } = journal;
      return {
        now: systemClock.wall(),
        sessions: dispatcher.sessions(),
        status: status(),
        hosts: hostFolders(join(stateDir, 'sessions')).length,
        journal: { ...stats(), health, pending: last - stored, free },
      };
    },
  });
  return { status, metrics };
}

/** @returns undefined when the system does not say */
const freeBytes = (path: string): Promise<number | undefined> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
