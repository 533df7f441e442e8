import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { showSecret } from './new.ts';
import { withTokens } from './told.ts';

export interface RotateOptions {
  state: string;
  json: boolean;
  /** Id or name; undefined: the bridge's own. */
  token?: string;
}

export async function tokenRotate({ state, json, token }: RotateOptions): Promise<number> {
  const done = await withTokens(({ bridgeTokenId, rotateBridgeToken, rotateToken }) =>
    token === undefined || token === bridgeTokenId
      ? { id: bridgeTokenId, file: rotateBridgeToken(state) }
      : rotateToken(state, token, Date.now()),
  );
  if ('secret' in done) showSecret(done.view, done.secret, json, 'Renewed');
  else if (json) printJson(done);
  else tell(done.file, existsSync(join(state, 'openclaw.json')));
  return exitCodes.ok;
}

/** @param isInstalled `openclaw install` has registered this bridge */
function tell(file: string, isInstalled: boolean): void {
  say(`The bridge's own token is a new one: ${file}`);
  say(
    'A running bridge takes it at once and refuses the old one. Whoever has a copy has to read the file again.',
  );
  if (isInstalled)
    say(
      'OpenClaw reads that file when it is told to: run `openclaw secrets reload` now. After a request with the old token it refuses this provider for about a minute.',
    );
}
