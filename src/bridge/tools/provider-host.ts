// One provider of tools: keeps a connection to it, and knows how it is and what it offers.
import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import { Watch } from '../../base/waiting/watch.ts';
import {
  hangs,
  type OwnHealth,
  type ProviderHealth,
  restartDelay,
  type Sighting,
  seen,
  unknownHealth,
} from '../../domain/tools/provider-health.ts';
import type { ProviderView } from '../../domain/views/tools.ts';
import type { Provider } from '../../protocol/settings/provider.ts';
import { Lanes } from './lanes.ts';
import { ProviderLink } from './link/provider-link.ts';
import { startWords } from './link/start-words.ts';
import type { OpenTransport } from './link/transport.ts';
import { Printed } from './printed.ts';
import { type OfferedTool, offer, type RefusedTool } from './provider-tools.ts';
import { LateError, within } from './within.ts';
import { cleanWords } from './words/clean-words.ts';
import { givenSecrets } from './words/given-secrets.ts';

export interface ProviderHostOptions {
  provider: Provider;
  version: string;
  clock: Clock;
  log: Log;
  open: OpenTransport;
  /** Its status, or why it is so, is another one. */
  healthChanged(view: ProviderView): void;
  /** What it offers to Claude is something else. */
  toolsChanged(): void;
}

/** One connection. */
export interface Connection {
  readonly link: ProviderLink;
  /** How it ended, in words. */
  ended: string | undefined;
}

/** For the handshake and the list of tools, milliseconds: `npx` may have to fetch a program first. */
const startMs = 30_000;
/** Between an answer and the next probe, and for its answer, milliseconds: what hangs is seen within 5 s. */
const probeEveryMs = 2_000;
const probeMs = 900;
const listEveryMs = 1_000;

export class ProviderHost {
  readonly provider: Provider;
  readonly lanes: Lanes;
  readonly printed: Printed;
  /** What it was given in confidence. */
  readonly secrets: readonly string[];
  readonly #options: ProviderHostOptions;
  readonly #watch: Watch;
  #health: ProviderHealth = unknownHealth;
  #since: number;
  #lastProbe: number | undefined;
  #current: Connection | undefined;
  #tools: readonly OfferedTool[] = [];
  #refused: readonly RefusedTool[] = [];
  /** Connections that were tried. */
  #tries = 0;
  #isListing = false;
  #listIsOld = false;
  /** Somebody calls one of its tools while it is down. */
  #wanted = false;
  #closed = false;
  #life: Promise<void> | undefined;

  constructor(options: ProviderHostOptions) {
    const { provider, clock } = options;
    this.#options = options;
    this.provider = provider;
    this.secrets = givenSecrets(provider);
    this.lanes = new Lanes(provider.concurrency, provider.queue);
    this.printed = new Printed((words) => cleanWords(words, this.secrets));
    this.#watch = new Watch(clock);
    this.#since = clock.wall();
  }

  start(): void {
    this.#life ??= this.#live();
  }

  get health(): ProviderHealth {
    return this.#health;
  }

  get tools(): readonly OfferedTool[] {
    return this.#tools;
  }

  /** Tools that Claude does not get, and why. */
  get refused(): readonly RefusedTool[] {
    return this.#refused;
  }

  get view(): ProviderView {
    const { name, command, url } = this.provider;
    const { status, reason } = this.#health;
    return {
      provider: name,
      kind: command ? 'command' : url === undefined ? 'module' : 'url',
      status,
      reason,
      since: new Date(this.#since).toISOString(),
      last_probe: this.#lastProbe === undefined ? null : new Date(this.#lastProbe).toISOString(),
      tools: this.#tools.length,
      refused: this.#refused.length,
      running: this.lanes.running,
      waiting: this.lanes.waiting,
    };
  }

  /** Resolves when the first connection was ready or failed, at the latest after `ms`. */
  async tried(ms: number): Promise<void> {
    await this.#watch.until(() => this.#health.up || this.#tries > 0, ms);
  }

  /**
   * A connection that can be used. One that is down is tried at once, whatever pause it is in.
   *
   * @returns undefined when there is none within `ms`
   */
  async connection(ms: number): Promise<Connection | undefined> {
    if (!this.#isUp) {
      // One that has only just ended is counted before it is tried again.
      const enough = this.#tries + (this.#current ? 2 : 1);
      this.#wanted = true;
      this.#watch.poke();
      await this.#watch.until(() => this.#isUp || this.#tries >= enough, ms);
    }
    return this.#isUp && !hangs(this.#health) ? this.#current : undefined;
  }

  get #isUp(): boolean {
    return this.#health.up && this.#current?.ended === undefined;
  }

  /** A call was answered. */
  worked(): void {
    this.#saw({ type: 'worked' });
  }

  /** Ends it, in order and then by force. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#watch.close();
    await this.#current?.link.close();
    await this.#life;
  }

  async #live(): Promise<void> {
    while (!this.#closed) {
      await this.#connect();
      this.#tries += 1;
      this.#wanted = false;
      this.#watch.poke();
      await this.#watch.until(() => this.#wanted, restartDelay(this.#health));
    }
  }

  /** From one start to its end. */
  async #connect(): Promise<void> {
    const current = await this.#open();
    if (!current) return;
    this.#current = current;
    try {
      // Closed while it was opened: nobody else knows of it.
      if (this.#closed) return;
      await this.#handshake(current);
      await this.#probe(current);
    } catch (error) {
      this.#failed(error, current);
    } finally {
      current.link.kill();
      await current.link.close();
      this.#current = undefined;
    }
    if (!this.#closed && this.#health.up) this.#saw({ type: 'ended', why: current.ended || 'it was ended' });
  }

  async #open(): Promise<Connection | undefined> {
    const { provider, open, version } = this.#options;
    try {
      const transport = await open(provider, {
        said: (text) => this.printed.add(text),
        garbled: () => this.#saw({ type: 'garbled' }),
        ended: (why) => {
          current.ended ??= cleanWords(why, this.secrets);
          this.#watch.poke();
        },
      });
      const toolsChanged = () => void this.#listAgain(current);
      const current: Connection = {
        link: new ProviderLink({ version, transport, toolsChanged }),
        ended: undefined,
      };
      return current;
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  async #handshake({ link }: Connection): Promise<void> {
    await within(this.#options.clock, startMs, (signal) => link.open(signal));
    await this.#list(link);
    this.#saw({ type: 'started' });
  }

  async #list(link: ProviderLink): Promise<void> {
    const told = await within(this.#options.clock, startMs, (signal) => link.tools(signal));
    const { offered, refused } = await offer(this.provider, told);
    const isSame = JSON.stringify(offered) === JSON.stringify(this.#tools);
    this.#tools = offered;
    this.#refused = refused;
    if (!isSame) this.#options.toolsChanged();
  }

  /** Once a second at most: a provider may tell it without end. */
  async #listAgain(current: Connection): Promise<void> {
    this.#listIsOld = true;
    if (this.#isListing) return;
    this.#isListing = true;
    const isOver = () => this.#closed || current.ended !== undefined;
    while (this.#listIsOld && !isOver()) {
      this.#listIsOld = false;
      await this.#list(current.link).catch((error: unknown) => {
        this.#options.log.warn('a provider does not list its tools', { provider: this.provider.name, error });
      });
      await this.#watch.until(isOver, listEveryMs);
    }
    this.#isListing = false;
  }

  /** Until it ends, or hangs with nothing left to wait for. */
  async #probe(current: Connection): Promise<void> {
    const { clock } = this.#options;
    const isOver = () => this.#closed || current.ended !== undefined;
    while (!isOver()) {
      const begun = clock.now();
      const took = () => clock.now() - begun;
      try {
        const own = await within(clock, probeMs, (signal) => current.link.probe(signal));
        this.#lastProbe = clock.wall();
        this.#saw({ type: 'answered', ms: took(), ...(own && { own: this.#cleaned(own) }) });
        await this.#watch.until(isOver, probeEveryMs);
      } catch {
        if (isOver()) return;
        this.#saw({ type: 'missed' });
        if (hangs(this.#health) && this.lanes.running === 0) {
          current.ended ||= 'it did not answer, and was ended';
          return;
        }
        // A refusal comes at once: it would be asked without end.
        await this.#watch.until(isOver, probeMs - took());
      }
    }
  }

  #cleaned({ status, reason }: OwnHealth): OwnHealth {
    return { status, reason: cleanWords(reason, this.secrets) };
  }

  #failed(error: unknown, current?: Connection): void {
    if (this.#closed) return;
    const { log } = this.#options;
    log.warn('a provider could not be started', { provider: this.provider.name, error });
    // Whoever is given up is ended, too: that is not why.
    const ended = error instanceof LateError ? undefined : current?.ended;
    const why = ended || cleanWords(startWords(error), this.secrets);
    this.#saw({ type: 'start_failed', why: why || 'it could not be started' });
  }

  #saw(sighting: Sighting): void {
    const before = this.#health;
    this.#health = seen(before, sighting);
    const { status, reason } = this.#health;
    if (status !== before.status) this.#since = this.#options.clock.wall();
    // A provider that words its own condition anew each time would fill the journal.
    const isReworded = before.own !== null && this.#health.own !== null;
    if (status !== before.status || (reason !== before.reason && !isReworded))
      this.#options.healthChanged(this.view);
    this.#watch.poke();
  }
}
