import { expect, test } from 'vitest';
import { isRandom } from '../../src/secrets/random.ts';

test.each([
  '7f3c9a2b4d5e6f708192a3b4c5d6e7f8',
  '550e8400-e29b-41d4-a716-446655440000',
  'aB3dE5gH7jK9mN1pQ3sT',
  // Three digits, and three bits in each character: just enough.
  'qwertzuiop1a2b3c',
  'a1b2c3d4a1b2c3d4',
  // A part before or behind a word, a number or capitals that is none.
  'my-agent-2024-1x5',
  'provider-2024x-account',
  'provider-aBc-20245',
  'provider-ABCdef-20245',
])('%j is made by chance', (value) => expect(isRandom(value)).toBe(true));

test.each([
  'my-agent-2024-01-15',
  'OPENAI_API_KEY_2024_PRODUCTION',
  'Provider.Account/Number+2024=x~y1',
  'src/lib/x509.ts',
  'provider-with-a-long-name',
  'qwertzuiopa1b2cx',
  '1234567890123456',
  '12345678-90123456',
  'aaaaaaaaaaaaaaa111',
  'a1b2c3d1a1b2c3d1',
])('%j is not', (value) => expect(isRandom(value)).toBe(false));
