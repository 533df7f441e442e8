// What happened, and what happens: the journal as lines of words, or as NDJSON.
import type { EventsParams } from '../../../domain/views/control.ts';
import type { JournalRow } from '../../../protocol/events.ts';
import { CliError } from '../../cli-error.ts';
import { BridgeClient } from '../../client/bridge-client.ts';
import { callBridge, connectBridge } from '../../client/control-client.ts';
import { reachNodeOf } from '../../client/with-others.ts';
import { pointInTime } from '../../duration.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { eventFields, RowWords } from '../../output/row-printer.ts';
import { untilStopped } from '../../output/stream-out.ts';

export interface LogsOptions {
  state: string;
  session?: string;
  follow: boolean;
  since?: string;
  tail?: number;
  json: boolean;
}

export async function logs(options: LogsOptions): Promise<number> {
  const { state, follow, session, tail, json } = options;
  const since = options.since === undefined ? undefined : pointInTime(options.since, Date.now());
  const place = since === undefined ? { from: 0 } : { since };
  const params: EventsParams = { ...place, ...(session !== undefined && { session }) };
  if (session !== undefined) await reachNodeOf(state, session);
  try {
    return await (follow ? watch(state, params, new Lines(json, tail)) : stored(state, params, json, tail));
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'not_running') throw error;
    if (follow)
      throw new CliError(
        'not_running',
        'not_running',
        `${error.message} There is nothing to follow.`,
        'Without -f it prints what was kept. `synthesis up` starts a bridge.',
      );
    return kept(state, error, { session, since: since ?? 0 }, new Lines(json, tail));
  }
}

/** Asks the bridge for what there is. */
async function stored(
  state: string,
  params: EventsParams,
  json: boolean,
  tail: number | undefined,
): Promise<number> {
  const { session, since } = params;
  if (tail !== undefined && since === undefined) {
    // Not every row makes a line: where these make too few, all of them are read.
    const newest = new Lines(json, tail);
    const about = { ...(session !== undefined && { session }), last: json ? tail : 64 + 8 * tail };
    const code = await read(state, about, newest);
    if (newest.suffices || code !== exitCodes.ok) return newest.end(code);
  }
  const lines = new Lines(json, tail);
  return lines.end(await read(state, params, lines));
}

/** Without a bridge: what the last one has left in the journal. */
async function kept(
  state: string,
  error: CliError,
  wanted: { session: string | undefined; since: number },
  lines: Lines,
): Promise<number> {
  const { keptRows } = await import('./journal-rows.ts');
  const reading = keptRows(state, error, wanted, {
    begin: () => say(`${error.message} This is what was kept.`),
    gap: (to) => lines.gap(to),
    take: (row) => lines.take(row),
  });
  return lines.end(await Promise.race([reading, untilStopped()]));
}

/** Without a terminal, `attach` is this: from now on, until it is stopped. */
export function attachStream(state: string, session: string | undefined, json: boolean): Promise<number> {
  return watch(state, session === undefined ? {} : { session }, new Lines(json, undefined));
}

/** Shows rows; with `tail` it holds back all but the last ones until it has caught up. */
class Lines {
  readonly #json: boolean;
  readonly #words = new RowWords();
  readonly #tail: number | undefined;
  /** Turns whose beginning was seen: the line of its end tells what Claude said in between. */
  readonly #begun = new Set<string>();
  #held: { show: () => void; whole: boolean }[] | undefined;

  constructor(json: boolean, tail: number | undefined) {
    this.#json = json;
    this.#tail = tail;
    this.#held = tail === undefined ? undefined : [];
  }

  take(row: JournalRow): void {
    const whole = this.#json || this.#isWhole(row);
    const show = this.#shownBy(row);
    if (!show) return;
    if (!this.#held) return show();
    this.#held.push({ show, whole });
    if (this.#held.length > (this.#tail ?? 0)) this.#held.shift();
  }

  /** Whether the lines that are held back are as many as they should be, and as they were if all rows had been read. */
  get suffices(): boolean {
    return this.#held?.length === this.#tail && (this.#held?.every(({ whole }) => whole) ?? true);
  }

  caughtUp(): void {
    for (const { show } of this.#held ?? []) show();
    this.#held = undefined;
  }

  end(code: number): number {
    this.caughtUp();
    return code;
  }

  /** Rows that only the archive has. */
  gap(to: number): void {
    if (this.#tail === undefined)
      say(`Rows up to ${to} are in the archive: \`synthesis journal export\` prints them.`);
  }

  #isWhole({ event }: JournalRow): boolean {
    if (event.type === 'turn.delivering' || event.type === 'turn.adopted') this.#begun.add(event.turn);
    return event.type !== 'turn.settled' || this.#begun.has(event.turn);
  }

  #shownBy(row: JournalRow): (() => void) | undefined {
    if (this.#json) return () => printJson(eventFields(row));
    const line = this.#words.lineOf(row);
    return line === undefined ? undefined : () => print(line);
  }
}

async function read(state: string, params: EventsParams, lines: Lines): Promise<number> {
  const stopped = untilStopped();
  const reading = callBridge(
    state,
    'events.subscribe',
    { ...params, follow: false },
    {
      onNotification: (method, given) => {
        if (method === 'event') lines.take(given.row as JournalRow);
        if (method === 'gap') lines.gap(given.to as number);
      },
    },
  );
  return Promise.race([reading.then(() => exitCodes.ok), stopped]);
}

/** Goes on through restarts of the bridge; only a first look that fails is an error. */
async function watch(state: string, params: EventsParams, lines: Lines): Promise<number> {
  (await connectBridge(state)).close();
  const stopped = untilStopped();
  const failed = Promise.withResolvers<number>();
  const client = new BridgeClient({ state });
  let lost = false;
  client.onLink((link) => {
    if (link.name === 'lost' && !lost) say('The bridge is gone; waiting for it to come back.');
    if (link.name === 'live' && lost) say('The bridge is back.');
    lost = link.name === 'lost';
  });
  client.subscribe(params, {
    row: (row) => lines.take(row),
    live: () => lines.caughtUp(),
    gap: (_from, to) => lines.gap(to),
    reset: () => say('The journal is another one than before; it is read from its beginning.'),
    failed: failed.reject,
  });
  client.open();
  try {
    return await Promise.race([stopped, failed.promise]);
  } finally {
    client.close();
  }
}
