// The manual of OpenClaw, of which the questions are.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openclawPath } from '../../test/real/support/peers.ts';
import { fromBench } from '../harness/place.ts';

export const questionsFile = fromBench('vault/questions.json');

/** @returns absolute @throws when OpenClaw is not installed, with the command that installs it */
export function openclawDocs(): string {
  // `…/node_modules/.bin/openclaw`
  const docs = join(dirname(openclawPath()), '../openclaw/docs');
  if (!existsSync(docs)) throw new Error('this release of OpenClaw has no folder docs');
  return docs;
}
