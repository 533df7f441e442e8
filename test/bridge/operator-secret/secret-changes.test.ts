import { expect, test } from 'vitest';
import { SecretChanges } from '../../../src/bridge/operator-secret/secret-changes.ts';

/** A start after these: what each start before it had. */
function after(...secrets: (string | null)[]): SecretChanges {
  const changes = new SecretChanges();
  let was: string | null = null;
  for (const now of secrets) {
    changes.observe({ event: { type: 'bridge.secret', now, was } });
    was = now;
  }
  return changes;
}

test('a bridge that never had one says nothing, nor does one that has what it had', () => {
  expect(after().since(null)).toBeUndefined();
  expect(after('SHA256:one').since('SHA256:one')).toBeUndefined();
});

test('the first one is said to be in force', () => {
  expect(after().since('SHA256:one')).toEqual({
    event: { type: 'bridge.secret', now: 'SHA256:one', was: null },
    words: 'The operator secret is in force (SHA256:one): nothing is decided on this machine without it.',
    isLoss: false,
  });
});

test('one that was taken away or changed is told with a row, and once', () => {
  const changes = after('SHA256:one');
  expect(changes.since(null)).toMatchObject({
    event: { now: null, was: 'SHA256:one' },
    words: expect.stringContaining('was taken out of the configuration'),
    isLoss: true,
  });
  expect(changes.since(null)).toBeUndefined();
  expect(after('SHA256:one').since('SHA256:two')).toMatchObject({
    event: { now: 'SHA256:two', was: 'SHA256:one' },
    words: expect.stringContaining('SHA256:one then, SHA256:two now'),
    isLoss: true,
  });
});
