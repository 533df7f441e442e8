import { expect, test } from 'vitest';
import { isPlaceholder } from '../../src/secrets/placeholder.ts';

test.each([
  '<token>',
  `\${TOKEN}`,
  '$TOKEN',
  '{{ token }}',
  '%TOKEN%',
  '[token]',
  'sk-...',
  'abc…',
  'xxxxxxxx',
  '********',
  '‹secret: PIN›',
  'AKIAIOSFODNN7EXAMPLE',
  'your-token-2024',
  'changeme',
  'https://user:secret@proxy.corp',
  'abababab',
])('%j stands in for something', (value) => expect(isPlaceholder(value)).toBe(true));

test.each(['hunter2', '4711', 'Sommer2024!', 'aB3dE5gH7jK9mN1pQ3sT'])('%j stands for itself', (value) =>
  expect(isPlaceholder(value)).toBe(false),
);
