// How a provider of tools is, from what was seen of it. Its health is not the status of one result: a call that is
// refused leaves it healthy, a backend that is dead does not. Pure: times come with what was seen.
import type { ToolStatus } from '../protocol/envelope.ts';

/** What was seen. */
export type Sighting =
  /** It answered the handshake and told its tools. */
  | { type: 'started' }
  /** It could not be started, or ended before it was ready. */
  | { type: 'start_failed'; why: string }
  | { type: 'ended'; why: string }
  /** A probe was answered after so many milliseconds, with what it says of itself. */
  | { type: 'answered'; ms: number; own?: OwnHealth }
  /** A probe or a call was not answered in time. */
  | { type: 'missed' }
  /** A call was answered, in time. */
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
  /** Whether it is there to be asked: without that every call is refused at once. */
  up: boolean;
  /** Starts that failed in a row. */
  failures: number;
  /** Probes and calls in a row that were not answered. */
  misses: number;
  /** Probes that still count as spoilt by what it sent last. */
  spoilt: number;
  slow: boolean;
  own: OwnHealth | null;
}

/** An answer to a probe that takes longer than that is slow, milliseconds. */
const slowMs = 1_000;
/** So often in a row, and it is not asked any more. */
const mostMisses = 3;
const mostFailures = 2;
/** Good probes in a row after which garbage is forgotten. */
const forgivenAfter = 3;

export const unknownHealth: ProviderHealth = {
  status: 'degraded',
  reason: 'it is starting',
  up: false,
  failures: 0,
  misses: 0,
  spoilt: 0,
  slow: false,
  own: null,
};

export function seen(health: ProviderHealth, sighting: Sighting): ProviderHealth {
  const next = step(health, sighting);
  return { ...next, ...verdict(next) };
}

type Facts = Omit<ProviderHealth, 'status'>;

function step(health: ProviderHealth, sighting: Sighting): Facts {
  switch (sighting.type) {
    case 'started':
      return { ...unknownHealth, reason: null, up: true };
    case 'start_failed':
      return { ...unknownHealth, reason: sighting.why, failures: health.failures + 1 };
    case 'ended':
      return { ...unknownHealth, reason: sighting.why };
    case 'answered':
      return {
        ...health,
        misses: 0,
        spoilt: Math.max(0, health.spoilt - 1),
        slow: sighting.ms > slowMs,
        own: sighting.own ?? null,
      };
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

/** The worst of what is known. */
function verdict({
  up,
  failures,
  misses,
  spoilt,
  slow,
  own,
  reason,
}: Facts): Pick<ProviderHealth, 'status' | 'reason'> {
  if (!up) return { status: failures >= mostFailures ? 'unavailable' : 'degraded', reason };
  if (misses >= mostMisses) return { status: 'unavailable', reason: 'it does not answer' };
  if (own?.status === 'unavailable') return own;
  if (misses > 0) return { status: 'degraded', reason: 'it did not answer in time' };
  if (spoilt > 0) return { status: 'degraded', reason: 'it sends what is no message of the protocol' };
  if (slow) return { status: 'degraded', reason: 'it answers slowly' };
  if (own?.status === 'degraded') return own;
  return { status: 'healthy', reason: null };
}
