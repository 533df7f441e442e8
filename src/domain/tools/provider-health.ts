// How a provider of tools is, from what was seen of it. Its health is not the status of one result: a call that is
// refused leaves it healthy, a backend that is dead does not. Pure: times come with what was seen.
import type { ToolStatus } from '../../protocol/envelope.ts';

/** What was seen. */
export type Sighting =
  /** It answered the handshake and told its tools. */
  | { type: 'started' }
  /** It could not be started, or ended before it was ready. */
  | { type: 'start_failed'; why: string }
  | { type: 'ended'; why: string }
  /** A probe was answered after so many milliseconds, with what it says of itself. */
  | { type: 'answered'; ms: number; own?: OwnHealth }
  /** A probe was not answered in time. */
  | { type: 'missed' }
  /** A call was answered. */
  | { type: 'worked' }
  /** It sent what is no message of the protocol. */
  | { type: 'garbled' };

/** A provider's word on itself. */
export interface OwnHealth {
  status: ToolStatus;
  reason: string;
}

export interface ProviderHealth {
  status: ToolStatus;
  /** Why it is not healthy, in words. */
  reason: string | null;
  /** Whether there is a connection that was ready. */
  up: boolean;
  /** Connections that failed or ended since it was steady last. */
  failures: number;
  /** Probes in a row that were not answered. */
  misses: number;
  /** Good probes until garbage that it sent is forgotten. */
  spoilt: number;
  /** Good probes until slow ones are forgotten: it would come and go with each of them. */
  slow: number;
  /** Good probes until it is steady. */
  young: number;
  own: OwnHealth | null;
}

/** An answer to a probe that takes longer than that is slow, milliseconds. */
export const slowMs = 500;
/** So often in a row, and it is not asked any more. */
const mostMisses = 3;
const mostFailures = 2;
/** Good probes in a row after which what was bad is forgotten. */
const forgivenAfter = 3;

export const unknownHealth: ProviderHealth = {
  status: 'degraded',
  reason: 'it is starting',
  up: false,
  failures: 0,
  misses: 0,
  spoilt: 0,
  slow: 0,
  young: forgivenAfter,
  own: null,
};

export function seen(health: ProviderHealth, sighting: Sighting): ProviderHealth {
  const next = step(health, sighting);
  return { ...next, ...verdict(next) };
}

/** It hangs: nothing but a new connection helps. */
export const hangs = ({ up, misses }: ProviderHealth): boolean => up && misses >= mostMisses;

/**
 * How long it is left alone before it is tried again, milliseconds. What was mended within the first two minutes is seen
 * within seconds; after that a program that only ends costs next to nothing.
 */
export const restartDelay = ({ failures }: ProviderHealth): number =>
  failures > 30 ? 30_000 : Math.min(4_000, 250 * 2 ** Math.max(0, failures - 1));

type Facts = Omit<ProviderHealth, 'status'>;

function step(health: ProviderHealth, sighting: Sighting): Facts {
  switch (sighting.type) {
    case 'started':
      return { ...unknownHealth, failures: health.failures, reason: null, up: true };
    case 'start_failed':
    case 'ended': {
      // To end what hangs makes it no better: it is when it answers again.
      const least = hangs(health) ? mostFailures : 1;
      return { ...unknownHealth, reason: sighting.why, failures: Math.max(least, health.failures + 1) };
    }
    case 'answered':
      return { ...health, misses: 0, own: sighting.own ?? null, ...better(health, sighting.ms) };
    case 'missed':
      return { ...health, misses: health.misses + 1 };
    case 'worked':
      return { ...health, misses: 0 };
    case 'garbled':
      return { ...health, spoilt: forgivenAfter };
    default:
      return sighting satisfies never;
  }
}

function better({ spoilt, slow, young, failures }: ProviderHealth, ms: number) {
  const left = Math.max(0, young - 1);
  return {
    spoilt: Math.max(0, spoilt - 1),
    slow: ms > slowMs ? forgivenAfter : Math.max(0, slow - 1),
    young: left,
    failures: left === 0 ? 0 : failures,
  };
}

/** The worst of what is known. */
function verdict(facts: Facts): Pick<ProviderHealth, 'status' | 'reason'> {
  const { up, failures, misses, spoilt, slow, own, reason } = facts;
  if (!up) return { status: failures >= mostFailures ? 'unavailable' : 'degraded', reason };
  if (misses >= mostMisses) return { status: 'unavailable', reason: 'it does not answer' };
  if (own?.status === 'unavailable') return own;
  if (misses > 0) return { status: 'degraded', reason: 'it did not answer in time' };
  if (spoilt > 0) return { status: 'degraded', reason: 'it sends what is no message of the protocol' };
  if (slow > 0) return { status: 'degraded', reason: 'it answers slowly' };
  if (own?.status === 'degraded') return own;
  return { status: 'healthy', reason: null };
}
