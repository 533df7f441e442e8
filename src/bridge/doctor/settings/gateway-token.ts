import { setTimeout as delay } from 'node:timers/promises';
import { tokenSource } from '../../../base/files/token-source.ts';
import { silentLog } from '../../../base/log.ts';
import { systemClock } from '../../../base/time/clock.ts';
import { failed, ok, warning } from '../../../domain/views/check.ts';
import { GatewayLink } from '../../openclaw/gateway/gateway-link.ts';
import { openClawRemedy as correct } from '../../setup/tokens.ts';
import type { Examination } from '../examination.ts';

const name = 'openclaw-gateway';

/** The token of OpenClaw's gateway. A running bridge knows whether it is taken; without one the gateway is asked once. */
export const gatewayToken: Examination = async ({ config, running }, signal) => {
  const { gatewayUrl, tokenFile } = config.openclaw;
  if (gatewayUrl === undefined || tokenFile === undefined) return [];
  const token = tokenSource({ tokenFile });
  const read = token();
  if (!read.ok) return [failed(name, `${gatewayUrl}: ${read.words}`, correct)];
  if (running) return [ok(name, `There is a token for OpenClaw's gateway at ${gatewayUrl}`)];
  const url = gatewayUrl.replace(/^http/, 'ws');
  const { promise, resolve } = Promise.withResolvers<void>();
  const link = new GatewayLink({
    url,
    token,
    version: 'doctor',
    clock: systemClock,
    log: silentLog,
    up: resolve,
    changed: () => {
      if (link.status.state !== 'connecting') resolve();
    },
  });
  try {
    link.start();
    await Promise.race([promise, aborted(signal)]);
    const { state, reason } = link.status;
    if (state === 'connected') return [ok(name, `OpenClaw's gateway at ${gatewayUrl} takes the token.`)];
    const words = `OpenClaw's gateway at ${gatewayUrl} cannot be used: ${reason ?? 'no answer'}`;
    return [
      state === 'disconnected'
        ? failed(name, words, correct)
        : warning(name, words, 'Start it with `openclaw gateway`; without it everything works by text.'),
    ];
  } finally {
    link.close();
  }
};

async function aborted(signal: AbortSignal): Promise<void> {
  await delay(60_000, undefined, { signal, ref: false }).catch(() => {});
}
