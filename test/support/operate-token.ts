// Tests are programs without a terminal: what they decide takes a token, as for any script. Nothing is imported from src.
import { hash } from 'node:crypto';
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As `synthesis token new --scope operate` makes one. */
const secret = `syn_tests_${'T'.repeat(43)}`;

/** What a program needs that decides in the place of a person. */
export const operatorEnv = { SYNTHESIS_TOKEN: secret };

/** Makes that token hold for the bridge that will run here. A folder with tokens, or that is none, is left as it is. */
export function layToken(stateDir: string): void {
  const path = join(stateDir, 'tokens.json');
  const folder = lstatSync(stateDir, { throwIfNoEntry: false });
  if (folder ? !folder.isDirectory() || lstatSync(path, { throwIfNoEntry: false }) : false) return;
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const token = { id: 'tests', scopes: ['operate'], created: 0, digest: hash('sha256', secret, 'hex') };
  writeFileSync(path, JSON.stringify({ tokens: [token] }), { mode: 0o600 });
}
