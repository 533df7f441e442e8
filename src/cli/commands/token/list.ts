import type { TokenView } from '../../../domain/views/tokens.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { table } from '../../output/table.ts';
import { ago } from '../../output/words/ago.ts';
import { ruler } from '../../text/width.ts';
import { minute } from './token-words.ts';
import { withTokens } from './told.ts';

export interface ListOptions {
  state: string;
  json: boolean;
}

export async function tokenList({ state, json }: ListOptions): Promise<number> {
  const now = Date.now();
  const views = await withTokens(({ listTokens }) => listTokens(state, now));
  if (json) printJson(views);
  else if (views.length === 0) say('No token yet: `synthesis up` makes the one of the bridge.');
  else print(tokenTable(views, now));
  return exitCodes.ok;
}

export function tokenTable(views: readonly TokenView[], now: number): string {
  const head = ['id', 'name', 'scopes', 'session', 'made', 'expires', 'used'];
  const rows = views.map((view) => [
    view.id,
    view.name ?? '-',
    view.scopes.join(','),
    view.session ?? 'all',
    view.created === null ? '-' : ago(view.created, now),
    view.expired ? 'expired' : view.expires === null ? 'never' : minute(view.expires),
    view.last_used === null ? '-' : ago(view.last_used, now),
  ]);
  return table(head, rows, ruler);
}
