import { table } from '../../src/cli/output/table.ts';
import { ruler } from '../../src/cli/text/width.ts';
import { percent } from './bounds.ts';
import type { Measured } from './measure.ts';

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`;

/** For people. */
export function render({ notes, questions, all }: Measured): string {
  const head = [
    'found by',
    'hit@1',
    'hit@5',
    'mrr@10',
    'keywords',
    'index cpu',
    'p50 cpu',
    'p95 cpu',
    'index',
    'answer',
  ];
  const cells = all.map((each) => [
    each.name,
    percent(each.hit1),
    percent(each.hit5),
    each.mrr10.toFixed(2),
    percent(each.keywordHit5),
    `${(each.indexMs / 1_000).toFixed(1)} s`,
    `${each.p50Ms.toFixed(1)} ms`,
    `${each.p95Ms.toFixed(1)} ms`,
    megabytes(each.indexBytes),
    kilobytes(each.answerBytes),
  ]);
  return `${questions} questions to ${notes} notes.\n\n${table(head, cells, ruler)}`;
}
