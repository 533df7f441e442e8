// What others left behind, read when nothing runs any more: without the bridge's code, so that a fault there shows.
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ArchivedRow, archivedRows } from './archive.ts';
import type { Entry } from './entry.ts';

/** A row of the journal. `at`: epoch ms. */
export interface Row {
  seq: number;
  at: number;
  session: string;
  event: { type: string } & Record<string, unknown>;
}

export interface Evidence {
  history: readonly Entry[];
  rows: readonly Row[];
  /** Every prompt that Claude wrote into a transcript, as often as it was given it. */
  given: readonly string[];
  /** Marks of the tools that really ran, as often as they did. */
  ran: readonly string[];
  /** What Claude did with each prompt. Given where no Claude Code was broken: all of it has to be heard. */
  told?: readonly Told[];
}

/** What stands in a transcript behind one prompt. */
export interface Told {
  /** Claude Code's id of it. */
  prompt: string;
  /** Messages with text, in order. */
  texts: string[];
  /** Calls of tools, in order. `input` is JSON; `ok`: it ran, and its result is no error. */
  calls: { id: string; input: string; ok: boolean }[];
}

const hourMs = 3_600_000;

/** What a right clock would have said to a row, where the bridge's own was wrong by whole hours, and nothing took one. */
const rightTime = (at: number, from: number) => from + ((((at - from) % hourMs) + hourMs) % hourMs);

/**
 * The rows on disk, those in the archive first.
 * @param hoursFrom given where the clock of the bridge was set, again and again, by whole hours: when all began, epoch ms
 */
export function rowsOnDisk(stateDir: string, hoursFrom?: number): Row[] {
  const live = liveRows(stateDir);
  // Who was killed right behind the archiving has some of them twice.
  const old = archivedRows(stateDir).filter(([seq]) => seq < (live[0]?.[0] ?? Number.POSITIVE_INFINITY));
  return [...old, ...live].map(([seq, at, session, body]) => ({
    seq,
    at: hoursFrom === undefined ? at : rightTime(at, hoursFrom),
    session: JSON.parse(session),
    event: JSON.parse(body),
  }));
}

/** Reads a copy: opening a journal that was killed would change it. */
function liveRows(stateDir: string): ArchivedRow[] {
  const copy = mkdtempSync(join(tmpdir(), 'synthesis-crash-'));
  try {
    for (const name of ['journal.db', 'journal.db-wal']) {
      const from = join(stateDir, name);
      if (existsSync(from)) copyFileSync(from, join(copy, name));
    }
    const db = new DatabaseSync(join(copy, 'journal.db'));
    try {
      return db
        .prepare('select seq, at, session, body from event order by seq')
        .all()
        .map(({ seq, at, session, body }) => [Number(seq), Number(at), String(session), String(body)]);
    } finally {
      db.close();
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

interface Block {
  type?: string;
  text?: string;
  /** Of a call. */
  id?: string;
  input?: unknown;
  /** Of a result. */
  tool_use_id?: string;
  is_error?: boolean;
}

interface Line {
  type?: string;
  promptId?: string;
  message?: { content?: string | Block[] };
}

/** A torn last line is what a killed Claude leaves. */
function parsed(line: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return {};
  }
}

/** Of every transcript, in its order. */
function transcripts(home: string): Line[] {
  const folder = join(home, '.claude/projects');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').map(parsed));
}

export const promptsGiven = (home: string): string[] =>
  transcripts(home).flatMap(({ type, message }) =>
    type === 'user' && typeof message?.content === 'string' ? [message.content] : [],
  );

export function toldBy(home: string): Told[] {
  const told: Told[] = [];
  for (const { type, promptId, message: { content = [] } = {} } of transcripts(home)) {
    if (promptId === undefined) continue;
    if (type === 'user' && typeof content === 'string') told.push({ prompt: promptId, texts: [], calls: [] });
    const last = told.findLast(({ prompt }) => prompt === promptId);
    if (!last || typeof content === 'string') continue;
    for (const block of content) {
      if (type === 'assistant' && block.text) last.texts.push(block.text);
      if (block.id) last.calls.push({ id: block.id, input: JSON.stringify(block.input), ok: false });
      const call = last.calls.find(({ id }) => id === block.tool_use_id);
      if (call) call.ok = block.is_error === false;
    }
  }
  return told;
}

/** @param file where every tool of a run appends its mark */
export const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
