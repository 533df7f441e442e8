// An offer that opens at any moment around a message, with "Yes" chosen, in front of whatever key comes next: no message
// accepts it, and each is answered, once, when a person has said no. `HUNT` tries 300 moments.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeIn } from '../../support/code-in.ts';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { seeded } from '../../support/seeded.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

interface Moment {
  at: 'wait' | 'keys' | 'send';
  ms: number;
}

interface Offer extends Moment {
  name: string;
  what: 'opened' | 'accepted' | 'declined';
}

/** Conversations, how many of them at a time, and messages of each. */
const [chats, lanes, messages] = process.env.HUNT ? [75, 15, 4] : [12, 12, 2];

/** Half of them within what a message takes from its first character to the key that sends. */
function anyMoment(random: () => number): Moment {
  const at = (['wait', 'keys', 'keys', 'send'] as const)[Math.floor(random() * 4)] ?? 'send';
  const most = { wait: 900, keys: random() < 0.5 ? 80 : 600, send: 0 }[at];
  return { at, ms: Math.round(random() * most) };
}

class AmbushedHome extends Home {
  readonly #settings = join(this.path, '.claude/settings.json');
  readonly #offers = join(this.path, 'offers');
  readonly #prompts = join(this.path, 'prompts');

  begin(plan: Record<string, Moment[]>, env: Record<string, string> = {}): Promise<RunningBridge> {
    mkdirSync(join(this.path, '.claude'));
    writeFileSync(this.#settings, own);
    for (const file of [this.#offers, this.#prompts]) writeFileSync(file, '');
    const told = { SIM_OFFERS: JSON.stringify(plan), SIM_OFFER_LOG: this.#offers };
    return this.up({ env: { ...told, SIM_PROMPT_LOG: this.#prompts, SIM_LINE_MS: '5', ...env } });
  }

  get settings(): string {
    return readFileSync(this.#settings, 'utf8');
  }

  offers(what: Offer['what'], name?: string): Offer[] {
    const all = linesOf(this.#offers) as Offer[];
    return all.filter((each) => each.what === what && (name === undefined || each.name === name));
  }

  /** What Claude was given. */
  prompts(): string[] {
    return linesOf(this.#prompts).map((text) => /\] (.*)/.exec(String(text))?.[1] ?? '');
  }
}

const own = JSON.stringify({ permissions: { defaultMode: 'manual' } });

const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('an offer at any moment is accepted by no message, and each is answered once', {
  timeout: 600_000,
}, async () => {
  const random = seeded(20_261_128);
  const plan = Object.fromEntries(
    Array.from({ length: chats }, (_, chat) => [
      `s${chat}`,
      Array.from({ length: messages }, () => anyMoment(random)),
    ]),
  );
  await using home = new AmbushedHome();
  const bridge = await home.begin(plan);
  await using operator = await OperatorSocket.open(home.state);
  const sent: string[] = [];

  /** A person says no to whatever is asked, until the message is answered. */
  async function say(chat: string, text: string): Promise<void> {
    sent.push(text);
    let told = await bridge.ask(chat, text);
    for (let tries = 0; tries < 4 && !told.includes(`You said: [user] ${text}`); tries += 1) {
      expect(codeIn(told), `${chat} ${JSON.stringify(plan[chat])}: ${told}`).not.toBe('');
      told = await bridge.ask(chat, `no ${codeIn(told)}`);
    }
    expect(told).toContain(`You said: [user] ${text}`);
  }

  const waiting = Object.entries(plan);
  async function lane(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [chat, moments] = next;
      for (const each of moments.keys()) await say(chat, `message ${each} of ${chat}`);
      await until(`offers of ${chat}`, () => home.offers('opened', chat).length === moments.length);
      await say(chat, `the end of ${chat}`);
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));

  expect(home.offers('accepted')).toEqual([]);
  expect(home.offers('declined')).toHaveLength(chats * messages);
  expect(home.settings).toBe(own);
  expect(home.prompts().sort()).toEqual(sent.sort());
  await until('every end', () => operator.events('turn.settled').length >= sent.length);
  expect(operator.events('turn.settled').map(({ outcome }) => outcome)).toEqual(sent.map(() => 'completed'));
  expect(operator.events('agent.starting')).toHaveLength(chats);
});

test('a release that is sent to with Enter accepts it: what this file would find', async () => {
  await using home = new AmbushedHome();
  const bridge = await home.begin({ s: [{ at: 'send', ms: 0 }] }, { SIM_VERSION: '2.1.272' });
  expect(await bridge.ask('s', 'hello')).toContain('You said: [user] hello');
  expect(home.offers('accepted')).toHaveLength(1);
  expect(home.settings).toContain('"defaultMode":"auto"');
});
