import { expect, test } from 'vitest';
import { Guard } from '../../../src/bridge/control/guard.ts';
import type { CallerKind } from '../../../src/domain/caller/caller.ts';

/** A connection, and the secrets that may decide. */
function connection(kind: CallerKind, secrets: Set<string>): Guard {
  const caller = () => ({ kind, why: 'so it is', from: 'no terminal' });
  return new Guard({
    caller,
    trusts: () => false,
    isProof: (secret) => secrets.has(secret),
    refused: () => {},
  });
}

test('a token that is revoked decides nothing more on the connection that it was shown on', () => {
  const secrets = new Set(['good']);
  const guard = connection('unattended', secrets);
  expect(() => guard.prove('guess')).toThrow('may not decide here');
  expect(guard.highest()).toBe('say');
  guard.prove('good');
  expect(guard.highest()).toBe('decide');
  guard.admit({ method: 'bridge.resume', right: 'decide' });
  secrets.delete('good');
  expect(guard.highest()).toBe('say');
  expect(() => guard.admit({ method: 'bridge.resume', right: 'decide' })).toThrow(
    'Only a person at a terminal decides',
  );
});

test('what Claude Code has started decides with no token', () => {
  const guard = connection('claude', new Set(['good']));
  guard.prove('good');
  expect(guard.highest()).toBe('stop');
});
