// People who hold no token and keep coming: on a thread of their own, so that nobody's work is held up by theirs.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { until } from './until.ts';

/** What they say: nothing, a part of a request, what is no request, and one with a wrong token. */
const words = [
  '',
  'POST /v1/chat/comp',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  'GET /v1/responses/x HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer guess\r\n\r\n',
];

export class StrangerCrowd implements AsyncDisposable {
  readonly #worker: Worker;
  /** How many were let in, and how many of them were hung up on. */
  #came = 0;
  #gone = 0;

  private constructor(port: number, perTick: number) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { port, perTick } });
    this.#worker.on('message', ({ came, gone }: { came: number; gone: number }) => {
      this.#came = came;
      this.#gone = gone;
    });
  }

  /** @param perTick how many come every 20 ms; resolves once the first are there */
  static async gather(port: number, perTick = 100): Promise<StrangerCrowd> {
    const crowd = new StrangerCrowd(port, perTick);
    await until('the first strangers', () => crowd.#came > 0);
    return crowd;
  }

  get came(): number {
    return this.#came;
  }

  get gone(): number {
    return this.#gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

function keepComing(port: number, perTick: number): void {
  let [came, gone] = [0, 0];
  const come = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    const said = words[came % words.length] ?? '';
    came += 1;
    socket.on('error', () => {});
    socket.on('close', () => {
      gone += 1;
    });
    void once(socket, 'connect').then(
      () => said !== '' && socket.write(said),
      () => {},
    );
    return socket.resume();
  };
  setInterval(() => {
    for (let n = 0; n < perTick; n += 1) come();
    parentPort?.postMessage({ came, gone });
  }, 20);
}

if (!isMainThread && workerData?.perTick) keepComing(workerData.port, workerData.perTick);
