import type { TokenView } from '../../../domain/views/tokens.ts';
import { safeLine } from '../../output/safe.ts';

/** `2026-02-03 10:00 UTC` */
export const minute = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** `chat and models, in conversations that fit team:*` */
export function opensWords({ scopes, session }: Pick<TokenView, 'scopes' | 'session'>): string {
  const opens = scopes.join(' and ') || 'nothing';
  if (session === null) return opens;
  return `${opens}, in ${session.endsWith('*') ? 'conversations that fit' : 'the conversation'} ${safeLine(session)}`;
}

export const untilWords = ({ expires }: Pick<TokenView, 'expires'>): string =>
  expires === null ? 'until it is revoked' : `until ${minute(expires)}`;
