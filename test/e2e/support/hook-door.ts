// Where the hooks of a Claude Code are posted, and with what, as its own shell can read it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { curlConfigFile } from '../../../src/bridge/claude/launch/launch-settings.ts';

export interface HookDoor {
  token: string;
  url(event: string): string;
  /** Posts a hook as Claude Code does. */
  post(event: string, fields: object, token?: string): Promise<Response>;
}

/** @param folder of its session */
export function hookDoor(folder: string): HookDoor {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const token = /Bearer (\S+)"/.exec(read(curlConfigFile))?.[1] ?? '';
  const settings = read('settings.json');
  const known = (event: string) => new RegExp(`http://[^"' ]+/hooks/\\w+/${event}\\b`).exec(settings)?.[0];
  const url = (event: string) =>
    known(event) ?? `${known('Stop')?.replace(/Stop$/, '') ?? 'there is no such door '}${event}`;
  return {
    token,
    url,
    post: (event, fields, shown = token) =>
      fetch(url(event), {
        method: 'POST',
        headers: { authorization: `Bearer ${shown}`, 'content-type': 'application/json' },
        body: JSON.stringify({ hook_event_name: event, ...fields }),
      }),
  };
}

/** Those of every session in this state folder. */
export function hookDoors(stateDir: string): HookDoor[] {
  const sessions = join(stateDir, 'sessions');
  return readdirSync(sessions).map((name) => hookDoor(join(sessions, name)));
}

/** That of the only session there is. */
export function onlyHookDoor(stateDir: string): HookDoor {
  const [door, ...more] = hookDoors(stateDir);
  if (!door || more.length > 0) throw new Error(`${more.length + (door ? 1 : 0)} sessions`);
  return door;
}
