/** Of calls that nobody answers the client says that JetStream is not enabled, also where most servers are away. */
const unanswered: ReadonlySet<string> = new Set(['JetStreamNotEnabled', 'TimeoutError']);

/** Why the servers did not do something, for people: a part of a sentence. */
export function serverTrouble(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return unanswered.has(error.name)
    ? 'JetStream does not answer, so most of them are away, it is off there, or this machine may not use it'
    : error.message;
}
