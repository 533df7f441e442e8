import type { Health } from '../../../protocol/events/events.ts';

/** Somebody other than a bridge of this state folder tried to become the owner of a host. @param count until now */
export function unprovenHealth(key: string, count: number): Health {
  const who = count === 1 ? '1 connection' : `${count} connections`;
  const was = count === 1 ? 'It was closed and changed nothing.' : 'They were closed and changed nothing.';
  const words = `${who} to the host of ${key} did not prove that ${count === 1 ? 'it comes' : 'they come'} from this bridge. ${was} A program of your user tries to reach this Claude Code past the bridge.`;
  return { code: 'host_unproven', words };
}
