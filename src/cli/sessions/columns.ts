// The columns of every list of sessions, `up`, `ps` and `attach`: what they are called, in what order they stand, what
// they say, and which are left out first. docs/guides/watching-and-steering.md says what each means.
import type { SessionRow } from '../../domain/views/session/session-row.ts';
import { tokensText, usdText } from '../../domain/views/words/cost-words.ts';
import { containText, modeText, sandboxText, shortModeText } from '../../domain/views/words/mode-words.ts';
import { ago } from '../output/words/ago.ts';
import type { ColumnSize } from '../text/fit-columns.ts';
import { deliveryOf, duration, healthOf, reasonsOf, waitsFor } from './words.ts';

/** A session with what its list knows besides its row. */
export interface Listed {
  row: SessionRow;
  /** Epoch ms. */
  now: number;
  /** In its full length. */
  name: string;
  /** More than its row tells. */
  waits?: string;
  /** Where its people are. */
  chat?: string;
}

export interface SessionColumn extends ColumnSize {
  title: string;
  align?: 'right';
  value(each: Listed): string;
  /** Where nothing is cut, and it is longer. */
  whole?(each: Listed): string;
}

const percent = (used: number | null): string => (used === null ? '-' : `${Math.round(used)}%`);
const worked = ({ row: { working_since: since }, now }: Listed): string =>
  since === null ? '-' : duration(now - Date.parse(since));

/** In the order in which they stand. */
export const sessionColumns = {
  id: { title: 'ID', min: 12, max: 12, rank: 0, value: ({ row }) => row.id },
  session: { title: 'SESSION', min: 22, max: 52, rank: 0, value: ({ name }) => name },
  node: { title: 'NODE', min: 4, max: 16, rank: 2, value: ({ row }) => row.node ?? '-' },
  state: { title: 'STATE', min: 10, max: 10, rank: 0, value: ({ row }) => row.state },
  waits: {
    title: 'WAITS FOR',
    min: 12,
    max: 32,
    rank: 1,
    value: ({ row, waits }) => waits ?? waitsFor(row),
  },
  turn: { title: 'TURN', min: 6, max: 6, rank: 3, align: 'right', value: worked },
  queue: { title: 'Q', min: 2, max: 3, rank: 4, align: 'right', value: ({ row }) => String(row.queued) },
  context: {
    title: 'CTX',
    min: 4,
    max: 4,
    rank: 4,
    align: 'right',
    value: ({ row }) => percent(row.context_percent),
  },
  cost: {
    title: 'COST',
    min: 6,
    max: 8,
    rank: 7,
    align: 'right',
    value: ({ row }) => (row.cost_usd === null ? '-' : usdText(row.cost_usd)),
    whole: ({ row }) => usdText(row.cost_usd),
  },
  tokens: {
    title: 'TOKENS',
    min: 8,
    max: 8,
    rank: 9,
    align: 'right',
    value: ({ row }) => tokensText(row.context_tokens),
  },
  mode: {
    title: 'MODE',
    min: 9,
    max: 19,
    rank: 6,
    value: ({ row }) => shortModeText(row.permission_mode) + sandboxText(row) + containText(row),
    whole: ({ row }) => modeText(row.permission_mode) + sandboxText(row) + containText(row),
  },
  // Where there is no room for HEALTH, this alone says by its mark how it is.
  delivery: { title: 'DELIVERY', min: 10, max: 10, rank: 2, value: ({ row }) => deliveryOf(row) },
  health: {
    title: 'HEALTH',
    min: 6,
    max: 22,
    rank: 5,
    value: ({ row }) => healthOf(row).text,
    whole: ({ row }) => reasonsOf(row).join(',') || healthOf(row).text,
  },
  last: {
    title: 'LAST',
    min: 4,
    max: 4,
    rank: 5,
    align: 'right',
    value: ({ row, now }) => ago(row.touched_at, now),
  },
  chat: { title: 'CHAT', min: 12, max: 26, rank: 7, value: ({ chat }) => chat ?? '-' },
  pid: {
    title: 'PID',
    min: 7,
    max: 7,
    rank: 9,
    align: 'right',
    value: ({ row }) => String(row.pid ?? '-'),
  },
  // Half of it is of no use to anybody.
  claude: { title: 'CLAUDE', min: 36, max: 36, rank: 8, value: ({ row }) => row.claude_session ?? '-' },
  model: { title: 'MODEL', min: 10, max: 20, rank: 9, value: ({ row }) => row.model ?? '-' },
} as const satisfies Record<string, SessionColumn>;

export type ColumnName = keyof typeof sessionColumns;

export type NamedColumn = SessionColumn & { name: ColumnName };

/** Those that a list has, in their order. */
export const columnsWithout = (...without: ColumnName[]): NamedColumn[] =>
  (Object.keys(sessionColumns) as ColumnName[])
    .filter((name) => !without.includes(name))
    .map((name): NamedColumn => ({ ...(sessionColumns[name] as SessionColumn), name }));
