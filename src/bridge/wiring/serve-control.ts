import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { ControlServer } from '../control/control-server.ts';
import { controlHandlers, type HandlerOptions } from '../control/handlers.ts';
import type { OpenedJournal } from '../journal/open-journal.ts';
import { auditDesk, journalView } from './journal-view.ts';

export interface ControlOptions extends Omit<HandlerOptions, 'journal' | 'audit'> {
  opened: OpenedJournal;
  log: Log;
}

/** The socket of operators. */
export const serveControl = ({ opened, log, ...parts }: ControlOptions): ControlServer =>
  new ControlServer(
    controlHandlers({
      ...parts,
      journal: journalView(opened.journal),
      audit: auditDesk(opened, systemClock.wall),
    }),
    log,
  );
