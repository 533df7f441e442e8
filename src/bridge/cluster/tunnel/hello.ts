import { z } from 'zod';
import { TunnelError } from './tunnel-error.ts';

/** Of what tunnels say. Both sides must speak the same one. */
const version = 1;

const longestHello = 1_000;
const services = ['control', 'http', 'move'] as const;

const TunnelHello = z.object({
  /** What the tunnel is for: the operator's control socket, the port of HTTP, or a conversation that moves. */
  service: z.enum(services),
  /** The node that dials, by its name. A label: NATS says who may dial at all. */
  from: z.string().min(1).max(100),
  /** What whoever is on it may do, as that node has found; absent from one of an older release, which let all do all. */
  may: z.enum(['stop', 'look', 'say', 'decide']).optional(),
});
export type TunnelHello = z.infer<typeof TunnelHello>;

const Versioned = z.object({ version: z.number() });

export const encodeHello = (hello: TunnelHello): string => JSON.stringify({ version, ...hello });

/** @throws TunnelError `refused`, with words for the node that dials */
export function parseHello(message: Uint8Array): TunnelHello {
  const refuse = (words: string) => new TunnelError('refused', words);
  if (message.length > longestHello) throw refuse(`A hello has ${longestHello} bytes at most.`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(message).toString());
  } catch {
    throw refuse('The hello is not JSON.');
  }
  const versioned = Versioned.safeParse(value);
  if (!versioned.success) throw refuse('The hello has no version.');
  if (versioned.data.version !== version) {
    throw refuse(
      `This node speaks version ${version} of tunnels, and was asked for ${versioned.data.version}. ` +
        'Bring both nodes to the same release.',
    );
  }
  const hello = TunnelHello.safeParse(value);
  if (hello.success) return hello.data;
  throw refuse(`The hello names no node, or none of the services ${services.join(' and ')}.`);
}
