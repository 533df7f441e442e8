import { expect, test } from 'vitest';
import { configKeys } from '../../src/cli/config/config-keys.ts';

const layer = { profiles: [{ match: 'a*' }], policy: [{ decision: 'ask' }], timeouts: { idleMs: '10m' } };
const keys = configKeys(layer);
const about = (key: string) => keys.find((each) => each.key === key);

test.each([
  ['delivery', ['auto', 'channel', 'terminal']],
  ['metrics.http', ['true', 'false']],
  ['policy.0.decision', ['allow', 'ask', 'deny', 'operator']],
  ['profiles.0.vault', ['false']],
  ['profiles.0.vault.engine', ['sqlite', 'lancedb']],
  ['timeouts.idleMs', []],
])('%s may be one of %j', (key, values) => expect(about(key)?.values).toEqual(values));

test('an entry of a list has keys when it is there', () => {
  expect(about('profiles.0.cwd')).toBeDefined();
  expect(about('profiles.1.cwd')).toBeUndefined();
  expect(keys.filter(({ key }) => key.startsWith('agp'))).toHaveLength(1);
});

test('a group has no value of its own, and what is written is known', () => {
  expect(keys.filter(({ isGroup }) => isGroup).map(({ key }) => key)).toContain('timeouts');
  expect(about('profiles.0.vault')?.isGroup).toBe(false);
  expect(keys.filter(({ isWritten }) => isWritten).map(({ key }) => key)).toEqual(
    'policy policy.0 policy.0.decision profiles profiles.0 profiles.0.match timeouts timeouts.idleMs'.split(
      ' ',
    ),
  );
});
