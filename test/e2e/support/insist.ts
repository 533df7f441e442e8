// A client that says its message again until it is taken. All tries have one key, so that a bridge knows a repeat.
import { randomUUID } from 'node:crypto';
import { type Outcome, post, type Told } from '../../../crash/play/post.ts';
import type { RunningBridge } from './program.ts';

/** An answer that says that the message is to be said again. */
export const isNotTaken = (outcome: Outcome): boolean =>
  outcome.end === 'done' && /not taken|send it again/.test(outcome.text);

/** Between two tries, ms. */
export const pauseMs = 250;

/** One try. */
export function tell(
  bridge: RunningBridge,
  {
    session,
    text,
    key = randomUUID(),
    stream = false,
  }: { session: string; text: string; key?: string; stream?: boolean },
  told: Partial<Told> = {},
): Promise<Outcome> {
  const { url } = bridge.at;
  const what = { url, host: new URL(url).host, token: bridge.token, session, key, text, stream };
  return post(what, { status: () => {}, text: () => {}, ...told });
}

/** @returns the answer. @throws when it takes longer than `ms` */
export async function insist(
  bridge: RunningBridge,
  session: string,
  text: string,
  ms = 60_000,
): Promise<string> {
  const key = randomUUID();
  const end = performance.now() + ms;
  let outcome: Outcome;
  do {
    outcome = await tell(bridge, { session, text, key });
    if (outcome.end === 'done' && !isNotTaken(outcome)) return outcome.text;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  } while (performance.now() < end);
  throw new Error(`waited ${ms} ms for an answer to ${text}: ${JSON.stringify(outcome)}`);
}

/** Says it and goes away once it is accepted. */
export function leave(bridge: RunningBridge, session: string, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let cut = () => {};
  void tell(
    bridge,
    { session, text, stream: true },
    {
      going: (posted) => {
        cut = () => void posted.destroy();
      },
      status: (status) => {
        if (status === 200) resolve();
        else reject(new Error(`${text} was refused with ${status}`));
        cut();
      },
    },
  );
  return promise;
}
