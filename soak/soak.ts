// Many sessions talk for long, and their clients come and go: what the bridge holds must not grow with it.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { post } from '../crash/play/post.ts';
import { isolatedHome } from '../test/real/support/isolated-home.ts';
import { cleanEnv } from '../test/real/support/peers.ts';
import { seeded } from '../test/support/seeded.ts';
import { until } from '../test/support/until.ts';
import type { Sample } from './sample.ts';

export interface SoakOptions {
  sessions: number;
  /** Texts of all answers together. */
  texts: number;
  /** Clients that leave in the middle of an answer and ask again. */
  reconnects: number;
  seed: number;
}

export interface Soaked {
  /** Before anything, after the warm-up, in the middle, at the end. */
  samples: { start: Sample; warm: Sample; middle: Sample; end: Sample };
  texts: number;
  reconnects: number;
  /** Answers of which a client never got all. */
  incomplete: number;
  seconds: number;
}

/** Messages of one session: more than twice what it remembers of them (`keptTurns`), until it is warm. */
const turns = 40;
const warmTurns = 18;
/** Streams at a time. */
const atOnce = 100;

class Subject implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Record<string, unknown>[] = [];
  url = '';
  token = '';

  private constructor(dir: string, env: Record<string, string>) {
    const program = join(import.meta.dirname, 'subject.ts');
    this.#child = spawn(process.execPath, ['--expose-gc', program, dir], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface(this.#child.stdout).on('line', (line) => this.#lines.push(JSON.parse(line)));
  }

  static async start(dir: string, env: Record<string, string>): Promise<Subject> {
    const subject = new Subject(dir, env);
    const { url, token } = await subject.#next(1);
    return Object.assign(subject, { url: String(url), token: String(token) });
  }

  /** Once the last client is gone. */
  async sample(): Promise<Sample> {
    let sample: Sample | undefined;
    await until('all connections to end', async () => {
      this.#child.stdin.write('sample\n');
      sample = (await this.#next(this.#lines.length + 1)) as unknown as Sample;
      return sample.sockets === 0;
    });
    if (!sample) throw new Error('no sample');
    return sample;
  }

  async #next(count: number): Promise<Record<string, unknown>> {
    return until('the subject', () => this.#lines[count - 1] ?? this.#dead(), 30_000);
  }

  #dead(): undefined {
    if (this.#child.exitCode !== null) throw new Error(`the subject ended with ${this.#child.exitCode}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

export async function soak(options: SoakOptions, say: (words: string) => void = () => {}): Promise<Soaked> {
  const { sessions, texts, reconnects, seed } = options;
  const from = performance.now();
  await using home = await isolatedHome('soak');
  await using subject = await Subject.start(await home.directory('state'), cleanEnv(home.path));
  const random = seeded(seed);
  const each = Math.max(1, Math.round(texts / sessions / turns));
  const messages = sessions * turns;
  const told = { texts: 0, reconnects: 0, incomplete: 0 };

  /** Says one thing; now and then the client leaves in the middle and asks again. */
  const say1 = async (session: number, turn: number): Promise<void> => {
    const key = `s${session}t${turn}`;
    const what = {
      url: subject.url,
      host: new URL(subject.url).host,
      token: subject.token,
      session: `s${session}`,
      key,
      text: `texts ${each} (${key})`,
      stream: true,
    };
    if (random() < reconnects / messages) {
      told.reconnects += 1;
      let leave = () => {};
      await post(what, {
        status: () => {},
        text: () => leave(),
        going: (posted) => {
          leave = () => void posted.destroy();
        },
      });
    }
    const outcome = await post(what, { status: () => {}, text: () => {} });
    const got = outcome.end === 'done' ? outcome.text.split('text ').length - 1 : 0;
    told.texts += got;
    if (got !== each) told.incomplete += 1;
  };

  const talk = async (first: number, last: number): Promise<Sample> => {
    for (let turn = first; turn < last; turn += 1) {
      let session = 0;
      const lane = async () => {
        while (session < sessions) await say1(session++, turn);
      };
      await Promise.all(Array.from({ length: Math.min(atOnce, sessions) }, lane));
    }
    say(`${told.texts} texts, ${told.reconnects} reconnects`);
    return subject.sample();
  };

  const start = await subject.sample();
  const warm = await talk(0, warmTurns);
  const middle = await talk(warmTurns, Math.round((warmTurns + turns) / 2));
  const end = await talk(Math.round((warmTurns + turns) / 2), turns);
  return { samples: { start, warm, middle, end }, ...told, seconds: (performance.now() - from) / 1000 };
}
