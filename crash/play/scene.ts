// One history: a house, clients that talk in it, an operator, and whoever breaks something.
import { join } from 'node:path';
import { seeded } from '../../test/support/seeded.ts';
import { check, type Verdict } from '../history/check.ts';
import { linesOf, promptsGiven, rowsOnDisk, toldBy } from '../history/evidence.ts';
import { History } from '../history/history.ts';
import { House } from './house.ts';
import {
  longMessage,
  type Message,
  newMessage,
  question,
  shortMessage,
  slowMessage,
  toolMessage,
} from './message.ts';
import { operate, type Question } from './operator.ts';
import { Talker } from './talker.ts';

export interface SceneOptions {
  seed: number;
  kills: number;
  delivery: 'terminal' | 'channel';
  /** No new strike begins after so many milliseconds. */
  lateMs: number;
}

export class Scene implements AsyncDisposable {
  readonly house: House;
  readonly history: History;
  readonly random: () => number;
  readonly kills: number;
  readonly #late: number;
  struckSoFar = 0;
  /** Whether the audit trail has to verify in the end. */
  proven = true;
  /** Whether the clock of the bridge was set, by whole hours. */
  clockIsSet = false;
  /** Whether nothing but the bridge is broken: all that Claude Code does has to be heard. */
  outlived = false;
  /** Epoch ms. */
  readonly startedAt = Date.now();
  #marks = 0;
  readonly #sessions = new Set<string>();

  private constructor(house: House, options: SceneOptions) {
    this.house = house;
    this.history = new History(join(house.home.path, 'history.jsonl'));
    this.random = seeded(options.seed);
    this.kills = options.kills;
    this.#late = performance.now() + options.lateMs;
  }

  static async open(options: SceneOptions): Promise<Scene> {
    return new Scene(await House.open(options.delivery), options);
  }

  /** Whether there is something left to strike, and time for it. */
  get goesOn(): boolean {
    return this.history.open && this.struckSoFar < this.kills && performance.now() < this.#late;
  }

  struck(what: string): void {
    this.struckSoFar += 1;
    this.history.write({ is: 'struck', what });
  }

  /** A stream of numbers of its own, so that who talks when changes nobody else's. */
  ownRandom(): () => number {
    return seeded(Math.floor(this.random() * 2 ** 31));
  }

  /** @param url what lies in front of the bridge, if anything does */
  talker(url = this.house.url): Talker {
    const { history, house } = this;
    return new Talker({ history, house, url, random: this.ownRandom() });
  }

  /** In no id, code or path is anything like it. */
  mark(): string {
    this.#marks += 1;
    return `Q-${this.#marks}-Z`;
  }

  message(session: string, random: () => number, mayAsk = true): Message {
    this.#sessions.add(session);
    return newMessage(this.mark(), session, random, mayAsk ? this.house.ran : undefined);
  }

  short(session: string): Message {
    return shortMessage(this.mark(), session);
  }

  slow(session: string): Message {
    this.#sessions.add(session);
    return slowMessage(this.mark(), session);
  }

  question(session: string): Message {
    this.#sessions.add(session);
    return question(this.mark(), session, this.house.ran);
  }

  /** The answer has as many lines as any. */
  long(session: string): Message {
    this.#sessions.add(session);
    return longMessage(this.mark(), session);
  }

  /** A question, and then a tool that takes a while. */
  tool(session: string): Message {
    this.#sessions.add(session);
    return toolMessage(this.mark(), session, this.house.ran);
  }

  /** Talks for as long as something is still to be broken. @param more `door`: where verdicts are given */
  async talk(session: string, more: { talker?: Talker; door?: 'chat' | 'socket' } = {}): Promise<void> {
    const { talker = this.talker(), door = 'chat' } = more;
    const random = this.ownRandom();
    while (this.goesOn) {
      const code = await talker.say(this.message(session, random));
      if (code === undefined) continue;
      const deed = random() < 0.7 ? 'approve' : 'deny';
      if (door === 'chat') await talker.answer(session, code, deed);
      else await this.decide(code, deed);
    }
  }

  /** A verdict at the operator's own door. */
  async decide(code: string, deed: 'approve' | 'deny'): Promise<void> {
    const { state } = this.house;
    const asked = await operate<Question>(state, 'permission.show', { code });
    if (!asked) return;
    const n = this.history.nextCommand();
    this.history.write({ is: 'commanded', n, deed, door: 'socket', session: asked.session, code });
    const verdict = deed === 'approve' ? 'allow' : 'deny';
    await operate(state, 'permission.decide', { code, verdict, shown: asked.digest }, () =>
      this.history.write({ is: 'acknowledged', n }),
    );
  }

  async command(deed: 'stop' | 'rm' | 'interrupt', session: string): Promise<void> {
    const n = this.history.nextCommand();
    const method = deed === 'rm' ? 'session.remove' : `session.${deed}`;
    this.history.write({ is: 'commanded', n, deed, door: 'socket', session });
    // What was forgotten can no longer be held against what people saw.
    const params = deed === 'rm' ? { session, keep: true } : { session };
    await operate(this.house.state, method, params, () => this.history.write({ is: 'acknowledged', n }));
  }

  /** When nothing breaks any more: every session answers a short message. Then the bridge ends, and all is checked. */
  async end(): Promise<Verdict> {
    await Promise.all([...this.#sessions].map((session) => this.#lastWords(session)));
    const code = await this.house.down();
    this.history.claim('SIGTERM ends it with exit code 0', code === 0, `${code}`);
    if (this.proven) {
      const audit = await this.house.home.command('audit', 'verify', '--json');
      this.history.claim('the audit trail verifies', audit.code === 0, audit.stdout + audit.stderr);
    }
    return this.check();
  }

  async #lastWords(session: string): Promise<void> {
    const talker = this.talker();
    // A question that is still open would be the answer.
    const code = await talker.say(this.short(session));
    if (code !== undefined) await talker.answer(session, code, 'deny');
    await talker.say({ ...this.short(session), last: true });
  }

  check(): Verdict {
    const { home, ran } = this.house;
    return check({
      history: this.history.entries,
      rows: rowsOnDisk(home.state, this.clockIsSet ? this.startedAt : undefined),
      given: promptsGiven(home.path),
      ran: linesOf(ran),
      ...(this.outlived && { told: toldBy(home.path) }),
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.history.close();
    return this.house[Symbol.asyncDispose]();
  }
}
