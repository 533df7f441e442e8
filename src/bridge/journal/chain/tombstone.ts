// What stands in the place of a row that was forgotten. It names the link of that row, which can no longer be computed,
// so the chain goes on over it as it was. A deleted row is told from a forgotten one by its proof: see verify-chain.ts.
import { house } from '../../../protocol/events/house.ts';
import { type ChainKey, sameSeal } from './chain-key.ts';

/** Of a stored row. */
interface Stored {
  session: string;
  body: string;
}

export interface Tombstone {
  /** Type of the event that stood there. */
  was: string;
  link: string;
  proof: string;
}

/** As it lies on disk: a row of no session. */
const session = JSON.stringify(house);
/** Nothing else begins so: the bridge appends no such event. */
export const tombstoneBegin = '{"type":"row.forgotten",';
const form =
  /^\{"type":"row\.forgotten","was":"([a-z_.]{1,64})","link":"([0-9a-f]{32})","proof":"([0-9a-f]{32})"\}$/;
const typeForm = /^[a-z_.]{1,64}$/;

const textOf = (seq: number, at: number, { was, link }: Omit<Tombstone, 'proof'>) =>
  `${seq}\n${at}\n${was}\n${link}`;

/** @returns undefined for every other row, and for what is not exactly as a tombstone is written */
export function readTombstone(row: Stored): Tombstone | undefined {
  if (!row.body.startsWith(tombstoneBegin) || row.session !== session) return undefined;
  const [, was, link, proof] = form.exec(row.body) ?? [];
  return was !== undefined && link && proof ? { was, link, proof } : undefined;
}

/** What takes the place of this row. */
export function tombstoneOf(
  key: ChainKey,
  row: { seq: number; at: number; body: string; link: string },
): Stored {
  const { link } = row;
  const was = typeOf(row.body);
  const proof = key.forgotten(textOf(row.seq, row.at, { was, link }));
  return { session, body: JSON.stringify({ type: 'row.forgotten', was, link, proof }) };
}

export const tombstoneHolds = (key: ChainKey, seq: number, at: number, tombstone: Tombstone): boolean =>
  sameSeal(tombstone.proof, key.forgotten(textOf(seq, at, tombstone)));

/** Type of the event, which our own code wrote. */
export function typeOf(body: string): string {
  const { type } = JSON.parse(body) as { type?: unknown };
  return typeof type === 'string' && typeForm.test(type) ? type : 'unknown';
}
