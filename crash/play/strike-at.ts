import type { Message } from './message.ts';
import type { Scene } from './scene.ts';
import type { Talker } from './talker.ts';

/** What a session is at when the bridge is killed. */
export interface Point {
  what: string;
  message: Message;
  /** The event by which the bridge says that it has come to it. */
  event: string;
  /** Behind that event, milliseconds. */
  ms: number;
  /** A question is answered only when there is a bridge again. */
  later?: boolean;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Says the message, kills the bridge in that moment and starts the next one. Resolves when all is answered. */
export async function strikeAt(
  scene: Scene,
  talker: Talker,
  { what, message, event, ms, later = false }: Point,
): Promise<void> {
  const { house } = scene;
  const isUp = Promise.withResolvers<void>();
  const { session } = message;
  const come = house.bridge.next(event, session);
  const talked = async () => {
    const code = await talker.say(message);
    if (code === undefined) return;
    if (later) await isUp.promise;
    await talker.answer(session, code, 'approve');
  };
  const answered = talked();
  await come;
  await wait(ms);
  await house.bridge.kill();
  scene.struck(`kill -9 bridge: ${what}`);
  await house.up();
  isUp.resolve();
  await answered;
}
