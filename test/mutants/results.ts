// What a run of the mutation tester found, from its report.
import { z } from 'zod';

const place = z.object({ line: z.number(), column: z.number() });

/** https://github.com/stryker-mutator/mutation-testing-elements: the part of its report that is used. */
const reportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().default(''),
          status: z.string(),
          location: z.object({ start: place, end: place }),
        }),
      ),
    }),
  ),
});

export interface Survivor {
  /** From 1. */
  line: number;
  /** The changed line or lines, without the indentation. */
  before: string;
  after: string;
}

/** One file of a module. */
export interface Results {
  module: string;
  file: string;
  source: string;
  killed: number;
  survivors: Survivor[];
  /** Percent, two decimals. */
  score: number;
}

/** A mutant that hangs its test is noticed, too. */
const noticed = new Set(['Killed', 'Timeout']);
const unnoticed = new Set(['Survived', 'NoCoverage']);

export function readResults(module: string, report: unknown): Results[] {
  return Object.entries(reportSchema.parse(report).files).map(([file, { source, mutants }]) => {
    const killed = mutants.filter(({ status }) => noticed.has(status)).length;
    const survivors = mutants
      .filter(({ status }) => unnoticed.has(status))
      .map(({ location: { start, end }, replacement }): Survivor => {
        const lines = source.split('\n').slice(start.line - 1, end.line);
        const head = (lines[0] ?? '').slice(0, start.column - 1);
        const tail = (lines.at(-1) ?? '').slice(end.column - 1);
        return {
          line: start.line,
          before: folded(lines.join('\n')),
          after: folded(`${head}${replacement}${tail}`),
        };
      });
    return { module, file, source, killed, survivors, score: percent(killed, survivors.length) };
  });
}

/** Percent of all mutants of some files, two decimals; 0 where there are none. */
export function scoreOf(results: readonly Results[]): number {
  const sum = (count: (each: Results) => number) => results.reduce((total, each) => total + count(each), 0);
  return percent(
    sum(({ killed }) => killed),
    sum(({ survivors }) => survivors.length),
  );
}

const percent = (killed: number, survived: number): number =>
  killed === 0 ? 0 : Math.floor((killed / (killed + survived)) * 10_000) / 100;

const folded = (code: string): string => code.replace(/\s+/g, ' ').trim();
