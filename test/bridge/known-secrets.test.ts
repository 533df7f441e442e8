// Which values the bridge takes for its own secrets.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KnownSecrets } from '../../src/bridge/known-secrets.ts';
import { bridgeToken } from '../../src/bridge/tokens/bridge-token.ts';
import { Config } from '../../src/protocol/settings/config.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempDir } from './journal/temp-dir.ts';

test('its token, those of gateways and servers, and what providers were given', () => {
  const dir = tempDir();
  const { token } = bridgeToken(dir);
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text, { mode: 0o600 });
    return join(dir, name);
  };
  const config = Config.parse({
    agp: [{ url: 'wss://gateway.example/', token: 'agp-token-1' }],
    openclaw: { gatewayUrl: 'ws://127.0.0.1:18789', tokenFile: file('gateway', 'gateway-token-1\n') },
    providers: [
      { name: 'files', command: ['files'], env: { FILES_TOKEN: 'provider-token-1', LOG_LEVEL: 'info' } },
    ],
  });
  const clock = new ManualClock();
  const known = new KnownSecrets(config, dir, clock);
  const all = [token, 'agp-token-1', 'gateway-token-1', 'provider-token-1'];
  expect([...known.values()].sort()).toEqual([...all].sort());

  file('gateway', 'gateway-token-2\n');
  expect(known.values()).toContain('gateway-token-1');
  clock.advance(30_001);
  expect(known.values()).toContain('gateway-token-2');

  known.given([{ env: {}, headers: { Authorization: 'Bearer given-later-1' } }]);
  known.given([]);
  expect(known.values()).toContain('given-later-1');
});

test('what cannot be read is not known, and harms nothing', () => {
  const dir = tempDir();
  const config = Config.parse({
    openclaw: { gatewayUrl: 'ws://127.0.0.1:18789', tokenFile: join(dir, 'nothing-here') },
  });
  expect(new KnownSecrets(config, dir, new ManualClock()).values()).toEqual([]);
});
