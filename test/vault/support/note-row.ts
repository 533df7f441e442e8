import type { NoteRow } from '../../../src/vault/index/index-writer.ts';

/** A note as an index takes it, with parts of these texts. */
export const noteRow = (path: string, texts: readonly string[], more: Partial<NoteRow> = {}): NoteRow => ({
  path,
  mark: '1',
  hash: new Uint8Array(32),
  modified: 1_000,
  title: path,
  tags: [],
  aliases: [],
  chunks: texts.map((text, at) => ({ line: 1 + at * 10, heading: '', text })),
  secrets: [],
  problem: null,
  ...more,
});
