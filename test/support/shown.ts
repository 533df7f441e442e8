import { digestOf } from '../../src/domain/question/picture.ts';
import type { Session } from '../../src/domain/state/session.ts';

/** What somebody who allows this question says to have been shown: all of it. Nothing for a code that is none. */
export function shown(session: Session | undefined, code: string): { shown?: string } {
  const ask = session?.asks.find((each) => each.code === code);
  return ask ? { shown: digestOf(ask) } : {};
}
