// `<state>/token`: the bridge's own token, for OpenClaw and whoever else reads it from that file. It opens everything of
// the port, in all conversations, and does not expire.
import { join } from 'node:path';
import { claimFile, readPrivate, writePrivate } from '../../base/files/private-file.ts';
import { newToken } from '../../base/ids.ts';
import type { TokenGrant } from '../../protocol/tokens.ts';

/** What it is called among the others. */
export const bridgeTokenId = 'bridge';

/** It may not decide at the control socket: every hub on the machine has it. */
export const bridgeGrant: TokenGrant = {
  id: bridgeTokenId,
  name: "the bridge's own",
  scopes: ['chat', 'models', 'metrics'],
};

const tokenForm = /^[A-Za-z0-9_-]{32,}$/;

export const bridgeTokenFile = (stateDir: string): string => join(stateDir, 'token');

/** Returns it, and makes it where there is none: stable across restarts, 0600. @throws UnsafePathError */
export function bridgeToken(stateDir: string): { token: string; file: string } {
  const file = bridgeTokenFile(stateDir);
  claimFile(file);
  const token = readBridgeToken(stateDir);
  return token === undefined ? renewBridgeToken(stateDir) : { token, file };
}

/** @returns undefined when the file is not there, or holds none. @throws UnsafePathError, and what the file system throws */
export function readBridgeToken(stateDir: string): string | undefined {
  const known = readPrivate(bridgeTokenFile(stateDir))?.trim() ?? '';
  return tokenForm.test(known) ? known : undefined;
}

/** Puts a new one in its place. @throws what the file system throws */
export function renewBridgeToken(stateDir: string): { token: string; file: string } {
  const file = bridgeTokenFile(stateDir);
  const token = newToken();
  writePrivate(file, `${token}\n`, { sync: true });
  return { token, file };
}
