import { join } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { BridgeStatus } from '../../../domain/views/control.ts';
import { ControlServer } from '../../control/control-server.ts';
import { controlHandlers, type HandlerOptions } from '../../control/handlers.ts';
import type { OpenedJournal } from '../../journal/open-journal.ts';
import { hostFolders } from '../../terminal/host-folders.ts';
import { withNotices } from '../bridge-status.ts';
import { auditDesk, journalView } from '../journal/journal-view.ts';
import { hostNotices, lasting } from '../start/host-notices.ts';

export interface ControlOptions extends Omit<HandlerOptions, 'journal' | 'audit'> {
  opened: OpenedJournal;
  log: Log;
}

/** The socket of operators. Who asks there how the bridge is hears of its hosts, too. */
export function serveControl({ opened, log, ...parts }: ControlOptions): ControlServer {
  const { operator, status } = parts;
  const handlers = controlHandlers({
    ...parts,
    journal: journalView(opened.journal),
    audit: auditDesk(opened, systemClock.wall),
  });
  const withHosts = async (): Promise<BridgeStatus> => {
    const now = status();
    const sessions = join(now.state_dir, 'sessions');
    const look = () => hostNotices(hostFolders(sessions), operator.list());
    return withNotices(now, await lasting(look, systemClock));
  };
  return new ControlServer({ ...handlers, 'bridge.status': withHosts }, log);
}
