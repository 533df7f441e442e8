// Lines of several machines as one, in the order of their clocks.

export interface Line {
  /** Epoch ms, by the clock of its machine. */
  at: number;
  show(): void;
}

/** What one machine tells, in its own order. */
export interface Source {
  take(line: Line): void;
  /** Nothing more of what was is to come: it keeps the others back no longer. Idempotent. */
  caughtUp(): void;
}

interface Queue {
  lines: Line[];
  /** The first that was not shown. */
  at: number;
  waits: boolean;
}

const head = ({ lines, at }: Queue): Line | undefined => lines[at];

/** A line is shown once no source that has not caught up can still have an earlier one. */
export class Merge {
  readonly #tail: number;
  readonly #queues: Queue[] = [];
  /** Of what was, until all have caught up. */
  #held: Line[] | undefined;

  /** @param tail how many lines are shown of what was, the last ones; undefined for all */
  constructor(tail: number | undefined) {
    this.#tail = tail ?? 0;
    this.#held = tail === undefined ? undefined : [];
  }

  /** All of them are made before the first has a line. */
  source(): Source {
    const queue: Queue = { lines: [], at: 0, waits: true };
    this.#queues.push(queue);
    return {
      take: (line) => {
        queue.lines.push(line);
        this.#flow();
      },
      caughtUp: () => {
        queue.waits = false;
        this.#flow();
      },
    };
  }

  #flow(): void {
    while (!this.#queues.some((queue) => queue.waits && !head(queue))) {
      const [first] = this.#queues.filter(head).sort((a, b) => (head(a)?.at ?? 0) - (head(b)?.at ?? 0));
      const line = first && head(first);
      if (!line) return this.#release();
      first.at += 1;
      if (!head(first)) [first.lines, first.at] = [[], 0];
      if (!this.#held) line.show();
      else if (this.#held.push(line) > this.#tail) this.#held.shift();
    }
  }

  #release(): void {
    for (const line of this.#held ?? []) line.show();
    this.#held = undefined;
  }
}
