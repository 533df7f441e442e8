import { tokenSource } from '../../base/files/token-source.ts';
import type { Log } from '../../base/log.ts';
import { systemClock } from '../../base/time/clock.ts';
import type { GatewayStatus } from '../../domain/views/control.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import type { Masks } from '../app/masking.ts';
import type { Readers } from '../app/reader/reader.ts';
import { OpenClawHub } from '../openclaw/gateway/openclaw-hub.ts';
import type { OwnFiles } from '../own-files.ts';
import { approvers } from '../profiles.ts';

export interface HubOptions {
  config: Config;
  version: string;
  own: OwnFiles;
  log: Log;
  dispatcher: Dispatcher;
  readers: Readers;
  masks: Masks;
  changed(status: GatewayStatus): void;
}

/** The client of OpenClaw's gateway, which dials when it is started and one is configured. */
export function openClawHub({
  config,
  version,
  own,
  log,
  dispatcher,
  readers,
  masks,
  changed,
}: HubOptions): OpenClawHub {
  const { gatewayUrl, tokenFile } = config.openclaw;
  const hub: OpenClawHub = new OpenClawHub({
    gateway: gatewayUrl && tokenFile ? { url: gatewayUrl, token: tokenSource({ tokenFile }) } : undefined,
    version,
    neverSent: [own.stateDir, ...own.files, ...own.claude.kept],
    clock: systemClock,
    log,
    masks,
    conversations: {
      session: (key) => dispatcher.session(key),
      sessions: () => dispatcher.sessions(),
      dispatch: (key, command) => dispatcher.dispatch(key, command),
      stored: () => dispatcher.stored(),
      isRead: (turn) => readers.isRead(turn),
      hold: (turn, ms) => readers.hold(turn, ms),
      nudge: (key) => readers.nudge(key),
      approversFor: (key) => approvers(config, key),
    },
    changed: () => {
      if (hub.status) changed(hub.status);
    },
  });
  return hub;
}
