// What the flags of `token new` say, checked. Apart from the flags: every command loads those.
import { durationMs } from '../../../base/time/duration.ts';
import { isTokenScope, type TokenScope, tokenScopes } from '../../../protocol/tokens.ts';
import { CliError } from '../../cli-error.ts';
import { nearest } from '../../nearest.ts';

export interface TokenFlags {
  /** Each may be several with commas between. */
  scope: readonly string[];
  session?: string;
  expires?: string;
  name?: string;
}

interface Wanted {
  scopes: TokenScope[];
  session: string | undefined;
  lifetimeMs: number | undefined;
  name: string | undefined;
}

/** @throws CliError */
export const wantedToken = ({ scope, session, expires, name }: TokenFlags): Wanted => ({
  scopes: [...new Set(scope.flatMap((each) => each.split(',')).map(scopeOf))],
  session: session === undefined ? undefined : sessionOf(session),
  lifetimeMs: expires === undefined ? undefined : lifetimeOf(expires),
  name: name === undefined ? undefined : nameOf(name),
});

const usage = (code: string, message: string, suggestion: string): CliError =>
  new CliError('usage', code, `${message} Nothing was changed.`, suggestion);

function scopeOf(text: string): TokenScope {
  const scope = text.trim();
  if (isTokenScope(scope)) return scope;
  const near = nearest(scope, tokenScopes);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw usage(
    'bad_scope',
    `"${scope}" is no scope${hint || '.'}`,
    `A scope is one of ${tokenScopes.join(', ')}: see \`synthesis docs tokens\`.`,
  );
}

/** Ten years: what is meant to hold longer does not expire. */
const longest = 3_650 * 86_400_000;

function lifetimeOf(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms >= 1_000 && ms <= longest) return Math.round(ms);
  throw usage(
    'bad_expiry',
    `"${text}" is no time that a token can hold for.`,
    'Write a number with its unit, such as 12h, 30d or 1d12h, from 1s to 3650d.',
  );
}

/** What a terminal, a log or a header could not carry. */
const isPlain = (text: string): boolean => text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/** No key of a conversation is longer. */
const longestKey = 256;

function sessionOf(text: string): string {
  if (text.trim() !== '' && text.length <= longestKey && isPlain(text)) return text;
  throw usage(
    'bad_session',
    'That is no key of a conversation.',
    `A key has 1 to ${longestKey} characters on one line; \`synthesis ps --json\` shows them.`,
  );
}

const longestName = 80;

function nameOf(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= longestName && isPlain(name)) return name;
  throw usage(
    'bad_name',
    'That cannot be the name of a token.',
    `A name has 1 to ${longestName} characters on one line.`,
  );
}
