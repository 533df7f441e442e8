import { expect, test } from 'vitest';
import { checkOrigin } from '../../src/base/net/guard.ts';

const asked = ({ host, origin }: { host?: string | undefined; origin?: string }) => ({
  rawHeaders: [
    ...['Accept', 'Host'],
    ...(host !== undefined ? ['Host', host] : []),
    ...(origin !== undefined ? ['Origin', origin] : []),
  ],
});

test.each(['127.0.0.1:8080', 'localhost:8080', '[::1]:8080', 'LocalHost:8080'])(
  'a request to %s is looked at',
  (host) => expect(checkOrigin(asked({ host }), 8080)).toBeUndefined(),
);

test.each([
  undefined,
  '',
  'localhost',
  'localhost:',
  'localhost:80',
  '127.0.0.1:80801',
  '127.0.0.2:8080',
  'localhost:8080.evil.example',
  'evil.example:8080',
  'xlocalhost:8080',
])('a request whose Host is %j is refused for its host', (host) =>
  expect(checkOrigin(asked({ host }), 8080)).toBe('host'),
);

test.each([
  [['localhost:8080', 'evil.example']],
  [['evil.example', 'localhost:8080']],
  [['localhost:8080', 'localhost:8080']],
  [[]],
])('of several Host headers none is believed, and there has to be one: %j', (host) => {
  expect(checkOrigin({ rawHeaders: host.flatMap((name) => ['Host', name]) }, 8080)).toBe('host');
});

test.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'https://evil.example', 'null', ''])(
  'a page of origin %j is refused, also when it is this machine',
  (origin) => expect(checkOrigin(asked({ host: 'localhost:8080', origin }), 8080)).toBe('origin'),
);

test('another host is named before an origin', () => {
  expect(checkOrigin(asked({ host: 'evil.example', origin: 'https://evil.example' }), 8080)).toBe('host');
});
