import type { JournalRow } from '../../../protocol/events/events.ts';
import { print, printJson, say } from '../../output/out.ts';
import { eventFields, RowWords } from '../../output/row-printer.ts';
import type { Source } from './merge.ts';

export interface LinesOptions {
  json: boolean;
  /** Only the last ones of what was. */
  tail: number | undefined;
  /** The machine whose rows they are, where there are several, and where its lines go. */
  of?: { node: string; to: Source };
}

/** Shows rows; with `tail` it holds back all but the last ones until it has caught up. */
export class Lines {
  readonly #options: LinesOptions;
  readonly #words: RowWords;
  /** Turns whose beginning was seen: the line of its end tells what Claude said in between. */
  readonly #begun = new Set<string>();
  #held: { show: () => void; whole: boolean }[] | undefined;

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#words = new RowWords(options.of?.node);
    this.#held = options.tail === undefined ? undefined : [];
  }

  take(row: JournalRow): void {
    const { json, tail = 0, of } = this.#options;
    const whole = json || this.#isWhole(row);
    const print = this.#shownBy(row);
    if (!print) return;
    const show = of ? () => of.to.take({ at: row.at, show: print }) : print;
    if (!this.#held) return show();
    this.#held.push({ show, whole });
    if (this.#held.length > tail) this.#held.shift();
  }

  /** Whether the lines that are held back are as many as they should be, and as they were if all rows had been read. */
  get suffices(): boolean {
    return this.#held?.length === this.#options.tail && (this.#held?.every(({ whole }) => whole) ?? true);
  }

  caughtUp(): void {
    for (const { show } of this.#held ?? []) show();
    this.#held = undefined;
    this.#options.of?.to.caughtUp();
  }

  end(code: number): number {
    this.caughtUp();
    return code;
  }

  /** Rows that only the archive has. */
  gap(to: number): void {
    const { tail, of } = this.#options;
    if (tail === undefined)
      say(
        `${of ? `${of.node}: ` : ''}Rows up to ${to} are in the archive: \`synthesis journal export\` prints them.`,
      );
  }

  #isWhole({ event }: JournalRow): boolean {
    if (event.type === 'turn.delivering' || event.type === 'turn.adopted') this.#begun.add(event.turn);
    return event.type !== 'turn.settled' || this.#begun.has(event.turn);
  }

  #shownBy(row: JournalRow): (() => void) | undefined {
    const { json, of } = this.#options;
    if (json) return () => printJson({ ...eventFields(row), ...(of && { node: of.node }) });
    const line = this.#words.lineOf(row);
    return line === undefined ? undefined : () => print(line);
  }
}
