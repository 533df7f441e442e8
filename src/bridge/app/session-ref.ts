import { hashId } from '../../base/digest.ts';
import { sessionKey } from '../../protocol/session-key.ts';
import { OperatorError } from './operator-error.ts';

/** The id people see and type: 12 hex digits of the key's SHA-256. Keys themselves may hold anything. */
export const sessionId = (key: string): string => hashId(key, 12);

/**
 * Finds the session an operator means: its whole key, or a unique prefix of its id or key.
 * @throws OperatorError `no_such_session`, or `ambiguous` with the candidates.
 */
export function resolveSession<S extends { key: string }>(sessions: readonly S[], ref: string): S {
  const exact = named(sessions, ref);
  if (exact) return exact;
  const matches = sessions.filter(
    ({ key }) => ref !== '' && (key.startsWith(ref) || sessionId(key).startsWith(ref)),
  );
  const [only, second] = matches;
  if (only && !second) return only;
  if (!only) {
    throw new OperatorError(
      'no_such_session',
      `There is no session "${ref}".`,
      'Run `synthesis ps` to see the sessions; their id, key, or a unique prefix of either will do.',
    );
  }
  const names = matches.map(({ key }) => `${sessionId(key)} (${key})`);
  throw new OperatorError(
    'ambiguous',
    `"${ref}" fits ${matches.length} sessions: ${names.join(', ')}.`,
    'Type more of the id or the key.',
  );
}

/**
 * For what cannot be undone: a prefix finds nothing here, also when it fits one session alone.
 * @throws OperatorError as {@link resolveSession}
 */
export function resolveWhole<S extends { key: string }>(sessions: readonly S[], ref: string): S {
  const { key } = resolveSession(sessions, ref);
  const exact = named(sessions, ref);
  if (exact) return exact;
  throw new OperatorError(
    'ambiguous',
    `"${ref}" is only the beginning of ${sessionId(key)} (${key}). Nothing was removed.`,
    'What is removed is gone: name the session whole, by its id or its key.',
  );
}

function named<S extends { key: string }>(sessions: readonly S[], ref: string): S | undefined {
  const key = sessionKey(ref);
  return sessions.find((session) => session.key === key || sessionId(session.key) === ref);
}
