// A bridge with simulated Claude Codes, and chats that write to it for a while. Who looks on uses the bridge as any other.
import { readFileSync } from 'node:fs';
import { type Cancel, systemClock } from '../../base/time/clock.ts';
import { DemoBridge } from '../demo-bridge.ts';
import { Chat } from './chat.ts';
import { cuesOf } from './cues.ts';
import { OpenTurns } from './open-turns.ts';
import { rulesOf } from './rules.ts';
import { chats, files, scenesIn } from './scenes.ts';

/** Between two lines of an answer: as fast as somebody reads who looks on, ms. */
const lineMs = 600;

export class Afternoon implements AsyncDisposable {
  readonly demo: DemoBridge;
  readonly #cancels: Cancel[];

  private constructor(demo: DemoBridge, turns: OpenTurns) {
    this.demo = demo;
    const { url, tokenFile } = demo.bridge;
    const token = readFileSync(tokenFile, 'utf8').trim();
    const open = new Map<string, Chat>(
      Object.entries(chats).map(([name, session]) => [
        name,
        new Chat({ url, token, session, open: () => turns.count(session) }),
      ]),
    );
    this.#cancels = cuesOf(scenesIn(demo.work)).map(({ at, scene }) =>
      systemClock.after(at, () => void open.get(scene.chat)?.act(scene.does)),
    );
  }

  /** Something happens from now on, until it is closed or the last round is over. */
  static async begin(): Promise<Afternoon> {
    const turns = new OpenTurns();
    const demo = await DemoBridge.start({
      delivery: 'terminal',
      lineMs,
      rules: (folder) => rulesOf(scenesIn(folder)),
      files,
      onRow: (row) => turns.hear(row),
    });
    return new Afternoon(demo, turns);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    await this.demo[Symbol.asyncDispose]();
  }
}
