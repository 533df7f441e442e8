// How the bridge is, for whoever asks or watches: in words, in numbers, as traces.
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../base/log.ts';
import { systemClock } from '../../../base/time/clock.ts';
import type { BridgeStatus } from '../../../domain/views/control.ts';
import type { Health } from '../../../protocol/events/events.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import type { Dispatcher } from '../../app/dispatcher.ts';
import { sessionId } from '../../app/operator/session-ref.ts';
import type { OpenedJournal } from '../../journal/start/open-journal.ts';
import { Metrics } from '../../metrics/metrics.ts';
import { hostFolders } from '../../terminal/host-folders.ts';
import type { Traces } from '../../traces/traces.ts';
import { auditDesk } from '../journal/journal-view.ts';

export interface HealthParts {
  config: Pick<Config, 'telemetry'>;
  opened: OpenedJournal;
  stateDir: string;
  version: string;
  dispatcher: Dispatcher;
  log: Log;
  status(): BridgeStatus;
}

export class BridgeHealth {
  readonly #parts: HealthParts;
  readonly status: () => BridgeStatus;
  readonly metrics: Metrics;
  #traces: Traces | undefined;

  constructor(parts: HealthParts) {
    this.#parts = parts;
    this.status = parts.status;
    this.metrics = metricsOf(parts);
  }

  /** Once the sessions are loaded. What nobody wants is not loaded. */
  async follow(): Promise<void> {
    const { opened, dispatcher, config, version, log } = this.#parts;
    const { module } = config.telemetry;
    const sessions = dispatcher.sessions();
    this.metrics.follow(opened.journal, sessions);
    if (module === undefined) return;
    const { Traces } = await import('../../traces/traces.ts');
    this.#traces = new Traces({ module, version, log, clock: systemClock, idOf: sessionId });
    this.#traces.follow(opened.journal, sessions);
  }

  /** What is wrong with who watches. */
  get own(): Health[] {
    return this.#traces?.health ?? [];
  }

  /** Behind the ready line. */
  async load(): Promise<void> {
    await this.#traces?.load();
  }

  async close(): Promise<void> {
    await this.#traces?.close();
  }
}

function metricsOf({ opened, stateDir, dispatcher, status }: HealthParts): Metrics {
  const { journal } = opened;
  const { stats } = auditDesk(opened, systemClock.wall);
  return new Metrics({
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
}

/** @returns undefined when the system does not say */
const freeBytes = (path: string): Promise<number | undefined> =>
  statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
