import { expect, test } from 'vitest';
import { isRandom } from '../../src/secrets/random.ts';

test.each([
  '7f3c9a2b4d5e6f708192a3b4c5d6e7f8',
  '550e8400-e29b-41d4-a716-446655440000',
  'aB3dE5gH7jK9mN1pQ3sT',
])('%j is made by chance', (value) => expect(isRandom(value)).toBe(true));

test.each([
  'my-agent-2024-01-15',
  'OPENAI_API_KEY_2024_PRODUCTION',
  'src/lib/x509.ts',
  'provider-with-a-long-name',
  '1234567890123456',
  'aaaaaaaaaaaaaaa111',
])('%j is not', (value) => expect(isRandom(value)).toBe(false));
