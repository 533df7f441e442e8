// Was anything altered or left out? And the line that makes the answer independent of this machine.
import type { AuditVerdict } from '../../../domain/views/audit/audit.ts';
import { callBridge } from '../../client/control-client.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { bridgeOr } from './audit-source.ts';

export interface VerifyOptions {
  state: string;
  anchor: string[];
  json: boolean;
}

/** Milliseconds a bridge may take: a million rows take some ten seconds. */
const verifyMs = 10 * 60_000;

export async function auditVerify({ state, anchor, json }: VerifyOptions): Promise<number> {
  const verdict = await bridgeOr(
    state,
    () => callBridge(state, 'audit.verify', { anchors: anchor }, { timeoutMs: verifyMs }),
    (journal) => journal.verify(anchor),
  );
  if (json) printJson(verdict);
  else say(verdictWords(verdict));
  return { proven: exitCodes.ok, partly: exitCodes.degraded, failed: exitCodes.failure }[verdict.outcome];
}

function verdictWords(verdict: AuditVerdict): string {
  const { outcome, rows, key, fault, gaps, anchors } = verdict;
  const told = gaps.map(({ kind, at, words, anchored }) => {
    const answered =
      anchored && kind !== 'removed' ? ' An anchor taken later answers for what is there.' : '';
    return `${at}  ${words}.${answered}`;
  });
  if (fault?.seq === 0) return [`NOT proven: ${fault.why}.`, ...sound(rows), ...told].join('\n');
  if (fault) {
    const place = [fault.at, fault.session].filter((each) => each !== null).join('  ');
    const where = `First wrong: row ${fault.seq}${place && `  (${place})`}`;
    return [
      'NOT proven: the journal is not as the bridge wrote it.',
      where,
      `Why: ${fault.why}.`,
      ...told,
    ].join('\n');
  }
  const kept = rows - (gaps.find(({ kind }) => kind === 'removed')?.to ?? 0);
  const head =
    outcome === 'proven'
      ? `Proven: none of the ${kept} rows was altered, none is missing (key ${key}).`
      : `Nothing is wrong with the ${kept} rows that are there (key ${key}), but the key alone does not prove all of it:`;
  return [head, ...forgottenWords(verdict.forgotten), ...told, ...restsOn(verdict, anchors.at(-1))].join(
    '\n',
  );
}

/** There is no row 0: the rows are as they should be, and what they were to be compared with is no anchor. */
const sound = (rows: number): string[] => [
  `Nothing is wrong with the ${rows} rows themselves, but they were not compared with it.`,
  'Give the whole line that `synthesis audit anchor` printed.',
];

/** Nobody but the bridge can have made them. */
function forgottenWords(rows: number): string[] {
  if (rows === 0) return [];
  const those =
    rows === 1 ? 'One of them is of a session that was' : `${rows} of them are of sessions that were`;
  return [`${those} removed: the bridge has deleted what they said, and the chain goes on over them.`];
}

/** What was not proven. */
function restsOn({ rows }: AuditVerdict, last: { seq: number; at: string } | undefined): string[] {
  if (!last) {
    return [
      'No anchor was given: all of it rests on the key alone. Whoever can read the key could have rewritten the journal, and whoever kept an older copy of the whole folder could have put it back.',
    ];
  }
  const upTo = `Rows up to ${last.seq} are those that the anchor of ${last.at} saw.`;
  return [rows > last.seq ? `${upTo} The ${rows - last.seq} after it rest on the key alone.` : upTo];
}

export async function auditAnchor({ state, json }: { state: string; json: boolean }): Promise<number> {
  const line = await bridgeOr(
    state,
    async () => (await callBridge(state, 'audit.anchor', {}, { timeoutMs: 10_000 })).line,
    (journal) => journal.anchor(),
  );
  if (json) printJson({ line });
  else print(line);
  return exitCodes.ok;
}
