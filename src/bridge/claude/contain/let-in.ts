// What a contained Claude Code does not reach unless the configuration lets it in: where it is, and what that costs.
import { join } from 'node:path';
import type { ContainLet } from '../../../protocol/settings/contain.ts';

export interface Surroundings {
  home: string;
  /** `XDG_RUNTIME_DIR`, or where systemd has it. */
  runtime: string;
  env: Readonly<Record<string, string | undefined>>;
}

interface Door {
  /** Absolute paths that are absent, or let in. */
  places(around: Surroundings): (string | undefined)[];
  /** Of a folder that is hidden in any case: what is let in with it. */
  with?(around: Surroundings): string[];
  /** In what is let in, what stays absent. */
  without?(around: Surroundings): string[];
  /** What it undoes, a sentence. */
  price: string;
}

/** The path in an address such as `unix:path=/run/x,guid=…` or `unix:///run/x`. */
const socketIn = (address: string | undefined): string | undefined =>
  /^unix:(?:path=|\/\/)(\/[^,;]+)/.exec(address ?? '')?.[1];

export const doors: Readonly<Record<ContainLet, Door>> = {
  'ssh-agent': {
    places: ({ env }) => [env.SSH_AUTH_SOCK],
    with: ({ home }) => ['known_hosts', 'config'].map((name) => join(home, '.ssh', name)),
    price: 'ssh-agent: it logs in wherever your keys do, to this machine as well.',
  },
  gpg: {
    places: ({ home, runtime }) => [join(home, '.gnupg'), join(runtime, 'gnupg')],
    without: ({ home }) => [join(home, '.gnupg/private-keys-v1.d')],
    price: 'gpg: it signs and decrypts as you.',
  },
  bus: {
    places: ({ runtime, env }) => [
      ...['bus', 'systemd'].map((name) => join(runtime, name)),
      '/run/dbus',
      socketIn(env.DBUS_SESSION_BUS_ADDRESS),
    ],
    price: 'bus: systemd starts for it, outside, whatever it wants. That is no wall any more.',
  },
  wayland: {
    places: ({ runtime, env }) => [join(runtime, env.WAYLAND_DISPLAY || 'wayland-0')],
    price: 'wayland: it opens windows that look like yours, and reads your clipboard.',
  },
  docker: {
    places: ({ home, runtime, env }) => [
      ...['/run/docker.sock', '/run/podman', '/var/run/docker.sock'],
      ...['docker.sock', 'podman'].map((name) => join(runtime, name)),
      ...['.docker/run', '.docker/desktop'].map((name) => join(home, name)),
      socketIn(env.DOCKER_HOST),
    ],
    price: 'docker: whoever reaches it is root on this machine.',
  },
  aws: {
    places: ({ home }) => [join(home, '.aws')],
    price: 'aws: it reads your AWS keys.',
  },
};

/** Returns what this lets happen, a sentence for each. */
export const prices = (lets: readonly ContainLet[]): string[] => lets.map((name) => doors[name].price);
