// The table under `synthesis up`. It reads the bridge through its socket, as every other operator does.
import { hashId } from '../../../base/digest.ts';
import type { PanicView } from '../../../domain/views/control.ts';
import { Board } from '../../../domain/views/session/board.ts';
import { panicAfter } from '../../../domain/views/words/panic-words.ts';
import { BridgeClient } from '../../client/bridge-client.ts';
import { LiveTable, liveLines } from '../../output/live/live-table.ts';

/** Pictures come at most this often, ms; and this often when only times change. */
const frameMs = 100;
const tickMs = 1000;

export class StatusView {
  readonly #url: string;
  readonly #board = new Board((key) => hashId(key, 12));
  readonly #client: BridgeClient;
  readonly #table: LiveTable;
  readonly #startedAt = Date.now();
  readonly #ticking: NodeJS.Timeout;
  #panic: PanicView | null = null;
  #frame: NodeJS.Timeout | undefined;
  readonly #redraw = () => this.#draw();

  constructor(state: string, url: string) {
    this.#url = url;
    this.#table = new LiveTable(
      (text) => void process.stderr.write(text),
      () => size().cols,
    );
    this.#client = new BridgeClient({ state });
    this.#client.onLink(({ name }) => {
      if (name === 'live') void this.#begin();
    });
    this.#client.open();
    this.#ticking = setInterval(this.#redraw, tickMs).unref();
    process.stderr.on('resize', this.#redraw);
  }

  /** A line that stays, above the table. */
  say(line: string): void {
    this.#table.say(line);
  }

  close(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#frame);
    process.stderr.off('resize', this.#redraw);
    this.#client.close();
    this.#table.close();
  }

  async #begin(): Promise<void> {
    try {
      this.#board.reset(await this.#client.call('session.snapshot', {}));
      this.#panic = (await this.#client.call('bridge.status', {})).panic;
    } catch {
      // It hung up at once: there is nothing to show.
      return;
    }
    this.#client.subscribe(
      { from: this.#board.seq },
      {
        row: (row) => {
          this.#board.apply(row);
          this.#panic = panicAfter(this.#panic, row.event);
          this.#frame ??= setTimeout(() => {
            this.#frame = undefined;
            this.#draw();
          }, frameMs);
        },
      },
    );
    this.#draw();
  }

  #draw(): void {
    const now = Date.now();
    const rows = this.#board.rows();
    const live = rows.filter(({ pid }) => pid !== null).length;
    const stopped = this.#panic ? 'EVERYTHING IS STOPPED: synthesis resume | ' : '';
    const title = `${stopped}synthesis ${this.#url} | ${live} of ${rows.length} sessions live | up ${span(now - this.#startedAt)}`;
    this.#table.show(liveLines({ title, rows, asks: this.#board.asks() }, size(), now));
  }
}

const size = () => ({ cols: process.stderr.columns || 80, rows: process.stderr.rows || 24 });

function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1000)}s`;
  return minutes < 60
    ? `${minutes}m`
    : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}
