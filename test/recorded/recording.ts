// What a real peer shows to the outside, recorded by test/real/recorded.test.ts and never written by hand.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Shape } from './shape.ts';

export interface Recording {
  /** Release it was seen on. */
  version: string;
  /** Tools that it offers to its model, each with a fingerprint of the schema of its input. */
  tools: Record<string, string>;
  /** What was received, by name: `hook Stop`. */
  shapes: Record<string, Shape>;
  /** What was drawn, by name, row by row. */
  screens: Record<string, string[]>;
  /** Names that can be said to it or that it says, by kind: `setting`, `environment variable`. */
  names: Record<string, string[]>;
  /** What it does unless it is told otherwise, in words. */
  defaults: Record<string, string>;
}

export const peers = { 'claude-code': '@anthropic-ai/claude-code', openclaw: 'openclaw' } as const;
export type Peer = keyof typeof peers;

/** Where the recordings of the pinned releases are. */
export const recordings = resolve(import.meta.dirname, '../real/recorded');

/** The recording of a peer, if there is one. @param folder default: that of the pinned releases */
export function readRecording(peer: Peer, folder = recordings): Recording | undefined {
  const path = join(folder, `${peer}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Recording) : undefined;
}
