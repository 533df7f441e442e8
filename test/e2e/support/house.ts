// A house with one bridge after the other, always on the same port and over the same Claude Codes.
import { join } from 'node:path';
import { rowsOnDisk } from '../../../crash/history/evidence.ts';
import { lastingPort } from '../../support/lasting-port.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge, simulatedClaude } from './program.ts';

export type Road = 'terminal' | 'channel';

export class House extends Home {
  /** Where its bridges are. */
  port: number;
  readonly #road: Road;
  bridge!: RunningBridge;

  private constructor(port: number, road: Road) {
    super();
    this.port = port;
    this.#road = road;
  }

  static async open(road: Road = 'terminal', config: object = {}): Promise<House> {
    const house = new House(await lastingPort(), road);
    house.configure({ channels: { development: true }, ...config });
    await house.begin();
    return house;
  }

  /** Where tools write down that they ran. */
  get ran(): string {
    return join(this.cwd, 'ran');
  }

  /** The flags of its bridges. */
  get flags(): string[] {
    return ['--port', String(this.port), '--claude', simulatedClaude, '--delivery', this.#road];
  }

  /** @param more flags of this bridge alone */
  async begin(...more: string[]): Promise<void> {
    this.bridge = await this.up({ args: [...this.flags, ...more], env: { SIM_LINE_MS: '30' } });
  }

  async killed(): Promise<void> {
    await this.bridge.kill();
    await this.begin();
  }

  /** The `nth` event of a type that the bridge of now has told: earlier turns told theirs, too. */
  next(type: string, nth = 1): Promise<Record<string, unknown>> {
    const isIt = ({ event }: Record<string, unknown>) => event === type;
    return until(`${type} ${nth}`, () => this.bridge.lines.filter(isIt)[nth - 1], 20_000);
  }

  rows(type: string): Record<string, unknown>[] {
    return rowsOnDisk(this.state).flatMap(({ event }) => (event.type === type ? [event] : []));
  }

  /** A question that is on disk: one that is not may get another code. */
  asked(): Promise<{ code: string; expires_at: number }> {
    return until('a question', () => this.rows('permission.asked')[0]) as Promise<never>;
  }

  /** What Claude said, batch by batch as it was written down. */
  said(): string {
    return this.rows('answer.delta')
      .map(({ text }) => text)
      .join('');
  }

  /** Waits until as many turns are over, and stops the bridge: what is on disk then is all there is. */
  async settled(count: number): Promise<Record<string, unknown>[]> {
    const ended = () => this.rows('turn.settled').length;
    const words = () => `the end of ${count} turns: ${ended()} of ${this.rows('turn.queued').length} ended`;
    await until(words, () => ended() >= count, 30_000);
    await this.bridge.end();
    return this.rows('turn.settled');
  }

  /** Pids of every Claude Code that was started. */
  started(): number[] {
    return this.rows('agent.ready').map(({ pid }) => Number(pid));
  }
}
