// What the lines of a segment say. Links are not stored: they are hashes, so they hardly compress, and they follow from
// the rows. The first line says where the chain begins, the last one where it must end.
import { z } from 'zod';
import type { UnlinkedRow } from '../chain/hash-chain.ts';

/** Where a chain stands behind row `seq`: its link, and the newest seal up to it. */
export interface ChainPlace {
  seq: number;
  link: string;
  seal: string;
}

/** A row as it lay in the database. */
export type SealedRow = UnlinkedRow & { link: string; seal: string | null };

const hex32 = z.string().regex(/^[0-9a-f]{32}$/);

const Header = z.lazy(() =>
  z.strictObject({
    synthesis: z.literal('journal'),
    version: z.literal(1),
    /** Seq of the first row. */
    first: z.int().positive(),
    /** Link of the row before it, and the newest seal up to there; genesis for none. */
    link: hex32,
    seal: hex32,
  }),
);

const Footer = z.lazy(() =>
  z.strictObject({
    last: z.int().positive(),
    /** Link of the last row, and the newest seal up to there. */
    link: hex32,
    seal: hex32,
    rows: z.int().positive(),
    /** The latest `at` of all rows, epoch ms. */
    newest: z.number(),
    /** SHA-256 of the file before the frame with this line: some flipped bits leave all rows as they were. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
);
export type Footer = z.infer<typeof Footer>;

const Row = z.lazy(() => z.tuple([z.number(), z.number(), z.string(), z.string(), z.string().nullable()]));

export const headerLine = ({ seq, link, seal }: ChainPlace): string =>
  `${JSON.stringify({ synthesis: 'journal', version: 1, first: seq + 1, link, seal })}\n`;

export const footerLine = (footer: Footer): string => `${JSON.stringify(footer)}\n`;

export const rowLine = ({ seq, at, session, body, seal }: SealedRow): string =>
  `${JSON.stringify([seq, at, session, body, seal])}\n`;

function parsed<T>(schema: z.ZodType<T>, line: string | undefined): T | undefined {
  try {
    return schema.safeParse(JSON.parse(line ?? '')).data;
  } catch {
    return undefined;
  }
}

/** @returns undefined for anything but a header of this version */
export function readHeaderLine(line: string | undefined): ChainPlace | undefined {
  const header = parsed(Header, line);
  return header && { seq: header.first - 1, link: header.link, seal: header.seal };
}

export const readFooterLine = (line: string | undefined): Footer | undefined => parsed(Footer, line);

export function readRowLine(line: string): Omit<SealedRow, 'link'> | undefined {
  const row = parsed(Row, line);
  if (!row) return undefined;
  const [seq, at, session, body, seal] = row;
  return { seq, at, session, body, seal };
}
