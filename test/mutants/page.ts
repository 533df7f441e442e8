// Mutants that no test can notice, with the reason; `before` and `after` as a survivor shows them.
import equivalent from './equivalent.json' with { type: 'json' };
import { type Results, type Survivor, scoreOf } from './results.ts';

/** docs/reference/mutants.md, whole. @param missing modules that changed since they were measured, or never were */
export function mutantsPage(
  results: readonly Results[],
  leastScore: number,
  missing: readonly string[],
): string {
  const rows = results.map(
    ({ module, file, killed, survivors, score }) =>
      `| ${module} | \`${file}\` | ${killed} | ${survivors.length} | ${score} % |`,
  );
  const killed = results.reduce((sum, each) => sum + each.killed, 0);
  const survived = results.reduce((sum, each) => sum + each.survivors.length, 0);
  const left = results
    .filter(({ survivors }) => survivors.length > 0)
    .map(({ file, survivors }) => [`### ${file}`, ...survivors.map((each) => told(file, each))].join('\n\n'));
  return [
    '# Mutants',
    `<!-- Written by \`npm run test:mutants -- --write\`; the explanations stand in test/mutants/equivalent.json. -->`,
    `A test that runs a line need not notice when the line is wrong. \`npm run test:mutants\` changes the code that decides
about permissions in one small place at a time (another comparison, an empty text, a missing condition), runs the unit
tests of that module against each such mutant, and counts those that made a test fail. It exits with 1 when a module has
less than ${leastScore} %. \`npm run test:mutants -- guard verdict\` does it for some modules, \`--jobs 2\` on two processors,
and \`--again\` leaves out what comes out as in the last run; [test/mutants/modules.ts](../../test/mutants/modules.ts) names
them all. The tool is installed on first use and is part of neither \`npm run check\` nor the continuous integration.
Property tests run 100 examples here.`,
    '## Scores',
    [
      '| module | file | noticed | unnoticed | score |',
      '| --- | --- | ---: | ---: | ---: |',
      ...rows,
      `| **all** | | ${killed} | ${survived} | ${scoreOf(results)} % |`,
    ].join('\n'),
    ...(missing.length === 0
      ? []
      : [`Not measured since they were changed: ${missing.map((name) => `\`${name}\``).join(', ')}.`]),
    '## What nobody noticed',
    ...(left.length === 0 ? ['Nothing.'] : left),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function told(file: string, { line, before, after }: Survivor): string {
  const why = equivalent.find((each) => each.file === file && each.before === before && each.after === after);
  return `Line ${line}. ${why?.why ?? 'No test notices this yet.'}\n\n\`\`\`diff\n- ${before}\n+ ${after}\n\`\`\``;
}
