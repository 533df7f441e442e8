// One call of a provider's tool, from arguments that may be anything to the envelope that Claude gets.
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../base/time/clock.ts';
import type { ProviderHealth } from '../../domain/tools/provider-health.ts';
import { failed, succeeded } from '../../domain/tools/tool-envelope.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import { toolFailures } from '../../protocol/events/tool-failures.ts';
import { failedCall } from './failed-call.ts';
import { ProgressNotes } from './progress-notes.ts';
import type { Connection, ProviderHost } from './provider-host.ts';
import { noPermission, type OfferedTool } from './provider-tools.ts';
import { type Reading, readResult } from './results/read-result.ts';
import { progressWords } from './words/progress-words.ts';

/** How long a call waits for a provider that is down or just starts, milliseconds. */
const startingMs = 3_000;

/** Who is called, and who waits for it. */
interface Waiting {
  host: ProviderHost;
  clock: Clock;
  signal: AbortSignal;
  notes: ProgressNotes | undefined;
}

/**
 * @param name as Claude calls the tool
 * @param signal aborts when nobody waits for the result any more; the provider is told
 * @param progressed gets how far it is, at most once a second and never after the result
 * @returns always an envelope; never rejects
 */
export async function callTool(
  host: ProviderHost,
  clock: Clock,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
  progressed?: (words: string) => void,
): Promise<Envelope> {
  const begun = clock.now();
  const words = (progress: Progress) => progressWords(progress, host.secrets);
  const notes = progressed && new ProgressNotes({ clock, words, tell: progressed });
  const envelope = await run({ host, clock, signal, notes }, name, args).finally(() => notes?.close());
  const { query_time_ms } = envelope.meta;
  // A provider that answers with an envelope of its own has measured it itself.
  const taken = query_time_ms > 0 ? query_time_ms : Math.round(clock.now() - begun);
  return { ...envelope, meta: { ...envelope.meta, query_time_ms: taken } };
}

async function run(waiting: Waiting, name: string, args: Record<string, unknown>): Promise<Envelope> {
  const { host, clock } = waiting;
  // What was never started has no list of tools yet.
  if (host.tools.length === 0) await host.connection(startingMs);
  const tool = host.tools.find((each) => each.name === name || each.tool === name);
  if (!tool) return host.health.up ? notOffered(host, name) : unavailable(host);
  const fault = tool.checkArguments(args);
  if (fault) return failed('INVALID_ARGUMENTS', `The arguments do not fit ${tool.name}: ${fault}.`);
  const deadline = clock.now() + host.provider.timeoutMs;
  const first = await attempt(waiting, tool, args, deadline);
  return mayRetry(tool, first) ? attempt(waiting, tool, args, deadline) : first;
}

function notOffered({ provider, refused }: ProviderHost, name: string): Envelope {
  const why = refused.find(({ tool }) => tool === name)?.why;
  if (why === noPermission) return failed('PERMISSION_MISSING', `${name} of ${provider.name}: ${why}.`);
  const used = why === undefined ? '' : ` that can be used: ${why}`;
  return failed('NO_SUCH_TOOL', `${provider.name} has no tool ${name}${used}.`);
}

const unavailable = ({ provider, health }: ProviderHost): Envelope =>
  failed(
    'PROVIDER_UNAVAILABLE',
    `${provider.name} cannot be used now: ${health.reason ?? 'it is starting'}.`,
  );

/** Its provider says that a repeat does no harm, and the failure is one that a repeat may mend. */
const mayRetry = ({ idempotent }: OfferedTool, { error }: Envelope): boolean =>
  idempotent &&
  error !== null &&
  Object.hasOwn(toolFailures, error.code) &&
  toolFailures[error.code as keyof typeof toolFailures].retryOnce === true;

async function attempt(
  { host, clock, signal, notes }: Waiting,
  tool: OfferedTool,
  args: Record<string, unknown>,
  deadline: number,
): Promise<Envelope> {
  const { provider, secrets, lanes } = host;
  const stop = new AbortController();
  const leave = () => stop.abort(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  let late: number | undefined;
  const cancel = clock.after(deadline - clock.now(), () => {
    late = provider.timeoutMs;
    stop.abort();
  });
  let connection: Connection | undefined;
  const heard = notes && ((progress: Progress) => notes.told(progress));
  try {
    return await lanes.run(stop.signal, async () => {
      connection = await host.connection(startingMs);
      if (!connection) return unavailable(host);
      const given = await connection.link.call(tool.tool, args, stop.signal, heard);
      host.worked();
      return enveloped(readResult(given, about(host, tool)), host.health, provider.name);
    });
  } catch (error) {
    const ended = connection?.ended;
    const cancelled = signal.aborted;
    const sent = connection !== undefined;
    const fate = { provider: provider.name, tool: tool.name, secrets, sent, late, cancelled, ended };
    const { code, message } = failedCall(error, fate);
    return failed(code, message);
  } finally {
    cancel();
    signal.removeEventListener('abort', leave);
  }
}

const about = ({ provider, secrets }: ProviderHost, { name, checkOutput }: OfferedTool) => ({
  tool: name,
  secrets,
  limit: provider.resultCharacters,
  ...(checkOutput && { outputCheck: checkOutput }),
});

function enveloped(reading: Reading, health: ProviderHealth, provider: string): Envelope {
  switch (reading.kind) {
    case 'envelope':
      return reading.envelope;
    case 'failed': {
      const { code, message, data } = reading;
      return failed(code, message, data === undefined ? {} : { data: data as Envelope['data'] });
    }
    case 'data': {
      const data = reading.data as Envelope['data'];
      if (health.status === 'healthy') return succeeded(data);
      return failed('PROVIDER_DEGRADED', `${provider} answered, but ${health.reason ?? 'it is not well'}.`, {
        data,
      });
    }
    default:
      return reading satisfies never;
  }
}
