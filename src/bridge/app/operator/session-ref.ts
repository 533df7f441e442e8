import { hashId } from '../../../base/digest.ts';
import { labelFault, labelOf } from '../../../domain/session-label.ts';
import { chatName } from '../../../domain/views/session/chat-label.ts';
import { sessionKey } from '../../../protocol/session-key.ts';
import { OperatorError } from './operator-error.ts';

/** The id people see and type: 12 hex digits of the key's SHA-256. Keys themselves may hold anything. */
export const sessionId = (key: string): string => hashId(key, 12);

/** What a session goes by. */
interface Named {
  key: string;
  label?: string;
}

const look =
  'Run `synthesis ps` to see the sessions; their name, id, key, or a unique prefix of one will do.';

/**
 * Finds the session an operator means: its whole name, key or id, what it is shown as, or a unique prefix of one of the
 * former.
 * @param next what to do where there is none
 * @throws OperatorError `no_such_session`, or `ambiguous` with the candidates.
 */
export function resolveSession<S extends Named>(sessions: readonly S[], ref: string, next = look): S {
  const exact = namedSession(sessions, ref);
  if (exact) return exact;
  const matches = sessions.filter((session) => ref !== '' && beginsWith(session, labelOf(ref), ref));
  const [only, second] = matches;
  if (only && !second) return only;
  if (only) throw ambiguous(matches, ref);
  throw new OperatorError('no_such_session', `There is no session "${ref}".`, next);
}

/**
 * For what cannot be undone: a prefix finds nothing here, also when it fits one session alone.
 * @throws OperatorError as {@link resolveSession}
 */
export function resolveWhole<S extends Named>(sessions: readonly S[], ref: string): S {
  const found = resolveSession(sessions, ref);
  const exact = namedSession(sessions, ref);
  if (exact) return exact;
  throw new OperatorError(
    'ambiguous',
    `"${ref}" is only the beginning of ${called(found)}. Nothing was removed.`,
    'What is removed is gone: name the session whole, by its name, its id or its key.',
  );
}

/**
 * What one of the sessions is to be called: nothing that means another one already, whole or as a beginning.
 * @returns undefined for no name
 * @throws OperatorError `bad_request`, or `name_in_use` with the other
 */
export function newLabel(sessions: readonly Named[], key: string, text: string): string | undefined {
  const label = labelOf(text);
  if (label === '') return undefined;
  const fault = labelFault(label);
  if (fault !== undefined)
    throw new OperatorError(
      'bad_request',
      `No session can be called ${JSON.stringify(label)}: it ${fault}.`,
      'Nothing was changed. Choose another name.',
    );
  const small = label.toLowerCase();
  const other = sessions.find(
    (each) =>
      each.key !== key &&
      (each.label?.toLowerCase() === small ||
        shownAs(each)?.toLowerCase() === small ||
        each.key.toLowerCase().startsWith(small) ||
        sessionId(each.key).startsWith(small)),
  );
  if (!other) return label;
  throw new OperatorError(
    'name_in_use',
    `"${label}" already means ${called(other)}.`,
    'Nothing was changed. Choose another name.',
  );
}

/**
 * The session of this whole name, key or id, or else the one that is shown as this.
 * @throws OperatorError `ambiguous`: a key that came later may be what another session is called
 */
export function namedSession<S extends Named>(sessions: readonly S[], ref: string): S | undefined {
  const key = sessionKey(ref);
  const label = labelOf(ref);
  const own = sessions.filter(
    (session) => session.key === key || sessionId(session.key) === ref || session.label === label,
  );
  const found = own.length > 0 ? own : sessions.filter((session) => shownAs(session) === label);
  if (found.length > 1) throw ambiguous(found, ref);
  return found[0];
}

/** What `ps` calls one that nobody gave a name, `main` for `agent:main:main`: people type what they see. */
const shownAs = ({ key, label }: Named): string | undefined =>
  label === undefined ? chatName(key) : undefined;

const beginsWith = ({ key, label }: Named, name: string, ref: string): boolean =>
  key.startsWith(ref) || sessionId(key).startsWith(ref) || (name !== '' && label?.startsWith(name) === true);

/** By its id, which is certain, and by what it is known as. */
const called = ({ key, label }: Named): string =>
  `${sessionId(key)} (${label === undefined ? '' : `${label}, `}${key})`;

const ambiguous = (matches: readonly Named[], ref: string) =>
  new OperatorError(
    'ambiguous',
    `"${ref}" fits ${matches.length} sessions: ${matches.map(called).join(', ')}.`,
    'Type more of the id or the key.',
  );
