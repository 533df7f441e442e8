// Offers that nobody asked for, as Claude Code 2.1.332 makes one to whoever has a permission mode in their settings: at
// chosen moments around the messages of a session. A "yes" rewrites the user's settings, as there.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Dialog } from './dialog.ts';
import type { Key } from './keys.ts';

/**
 * - `wait`: so long after the prompt was drawn, or the message before was sent.
 * - `keys`: so long after the first characters of the message have come.
 * - `send`: the key that sends the message finds the offer open.
 */
const Moment = z.object({ at: z.enum(['wait', 'keys', 'send']), ms: z.number().default(0) });
type Moment = z.infer<typeof Moment>;

/** By name of the session: the moment of an offer for each of its messages, in order. */
const Plan = z.record(z.string(), z.array(Moment));

type Answer = 'accepted' | 'declined';

interface OfferPorts {
  /** JSON of a {@link Plan}. */
  plan: string;
  name: string;
  /** A file of what was offered and answered, a line each. */
  log: string | undefined;
  /** The user's own settings. */
  settings: string;
  openDialog(dialog: Dialog<Answer>, onChoice: (answer: Answer) => void): void;
}

export class Offers {
  readonly #ports: OfferPorts;
  readonly #moments: Moment[];
  #armed: Moment | undefined;

  constructor(ports: OfferPorts) {
    this.#ports = ports;
    this.#moments = Plan.parse(JSON.parse(ports.plan))[ports.name] ?? [];
  }

  /** The prompt is there, or a message has gone from it: it is the next one's turn. */
  arm(): void {
    this.#armed = this.#moments.shift();
    if (this.#armed?.at === 'wait') this.#fireIn(this.#armed);
  }

  /** Sees a key before the prompt gets it. @param box what stands in the prompt */
  onKey(key: Key, box: string): void {
    const moment = this.#armed;
    if (key.kind !== 'key') {
      if (moment?.at === 'keys') this.#fireIn(moment);
      return;
    }
    if (!sends.has(key.name) || box === '') return;
    if (moment?.at !== 'send') return this.arm();
    this.#armed = undefined;
    this.#open(moment);
  }

  #fireIn(moment: Moment): void {
    this.#armed = undefined;
    setTimeout(() => this.#open(moment), moment.ms);
  }

  #open(moment: Moment): void {
    this.#note('opened', moment);
    this.#ports.openDialog(offer, (answer) => {
      if (answer === 'accepted') this.#rewrite();
      this.#note(answer, moment);
    });
  }

  #note(what: Answer | 'opened', { at, ms }: Moment): void {
    const { log, name } = this.#ports;
    if (log !== undefined) appendFileSync(log, `${JSON.stringify({ name, what, at, ms })}\n`);
  }

  #rewrite(): void {
    const { settings } = this.#ports;
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(
      settings,
      JSON.stringify({ ...ownSettings(settings), permissions: { defaultMode: 'auto' } }),
    );
  }
}

const sends = new Set(['enter', 'ctrl-x ctrl-s', 'ctrl-x enter']);

const offer: Dialog<Answer> = {
  lines: [
    ' Make auto mode your default permission mode?',
    '',
    ' Auto mode lets Claude handle permission prompts automatically.',
    '',
  ],
  options: [
    { label: 'Yes, set auto mode as my default permission mode', effect: 'accepted' },
    { label: 'No, keep manual mode', effect: 'declined' },
  ],
  selected: 0,
  numbered: false,
  cancel: 'declined',
  // It names no keys.
  hint: '',
};

function ownSettings(path: string): object {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as object;
  } catch {
    return {};
  }
}
