import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Log } from '../../../base/log.ts';
import { systemClock } from '../../../base/time/clock.ts';
import type { BridgeNotice, BridgeStatus } from '../../../domain/views/control.ts';
import { ControlServer } from '../../control/control-server.ts';
import type { Guard } from '../../control/guard.ts';
import { controlHandlers, type HandlerOptions } from '../../control/handlers.ts';
import type { OpenedJournal } from '../../journal/start/open-journal.ts';
import { hostFolders } from '../../terminal/host-folders.ts';
import { withNotices } from '../bridge-status.ts';
import { auditDesk, journalView } from '../journal/journal-view.ts';
import { hostNotices, lasting } from '../start/host-notices.ts';

export interface ControlOptions extends Omit<HandlerOptions, 'journal' | 'audit'> {
  opened: OpenedJournal;
  log: Log;
  /** Stands before what a connection calls. */
  guardLocal(socket: Socket): Guard;
  /** What of the setup keeps sessions from working. */
  setup(): Promise<BridgeNotice[]>;
}

/** The socket of operators. Who asks there how the bridge is hears of its hosts and its setup, too. */
export function serveControl({ opened, log, guardLocal, setup, ...parts }: ControlOptions): ControlServer {
  const { operator, status } = parts;
  const handlers = controlHandlers({
    ...parts,
    journal: journalView(opened.journal),
    audit: auditDesk(opened, systemClock.wall),
  });
  const whole = async (): Promise<BridgeStatus> => {
    const now = status();
    const sessions = join(now.state_dir, 'sessions');
    const look = () => hostNotices(hostFolders(sessions), operator.list());
    const [hosts, faults] = await Promise.all([lasting(look, systemClock), setup()]);
    return withNotices(now, [...hosts, ...faults]);
  };
  return new ControlServer({ ...handlers, 'bridge.status': whole }, log, guardLocal);
}
