// What of a provider's settings is secret. `LOG_LEVEL=info` is not: taken for one, it would blank every "info" of a result.
import type { Provider } from '../../../protocol/settings/provider.ts';

const secretName = /key|token|secret|pass|pwd|auth|cred|cookie|session|signature|private/i;
/** `postgres://user:password@host` */
const holdsPassword = /:\/\/[^\s/@]*:[^\s/@]+@/;

const looksRandom = (value: string): boolean =>
  value.length >= 20 && /\d/.test(value) && /[a-z]/i.test(value) && !/[\s/]/.test(value);

/** Values of `env` and `headers` that were given in confidence; of `Bearer x` the `x` alone, too. */
export const givenSecrets = ({ env, headers }: Pick<Provider, 'env' | 'headers'>): string[] =>
  [...Object.entries(env), ...Object.entries(headers)]
    .filter(([name, value]) => secretName.test(name) || holdsPassword.test(value) || looksRandom(value))
    .flatMap(([, value]) => [value, ...(/^(?:Bearer|Basic|Token) (\S+)$/i.exec(value)?.slice(1) ?? [])]);
