// Draws the growth curves: `node bench/main.ts --json --only G1,G2 | node bench/plot.ts` writes docs/pictures/growth.svg.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { chart } from './harness/chart.ts';
import type { Row } from './harness/row.ts';

const file = resolve(import.meta.dirname, '../docs/pictures/growth.svg');

const captions: Record<string, { title: string; axis: string }> = {
  G1: { title: 'Streaming to many sessions', axis: 'sessions' },
  G2: { title: 'A long answer', axis: 'lines of the answer' },
};

const { rows } = (await json(process.stdin)) as { rows: Row[] };
const charts = rows.flatMap(({ id, curve, ratio }) => {
  const caption = captions[id];
  return caption && curve && ratio !== undefined ? [{ ...caption, curve, power: ratio }] : [];
});
if (charts.length === 0) throw new Error('there is no curve in what was read');

const [width, height] = [420, 320];
const drawn = charts.map((each, at) => `<g transform="translate(${at * width} 0)">${chart(each)}</g>`);
const all = charts.length * width;

writeFileSync(
  file,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="${height}" viewBox="0 0 ${all} ${height}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="12">
<title>How CPU time grows</title>
<rect width="${all}" height="${height}" rx="10" fill="#15181e" stroke="#2c323d"/>
${drawn.join('\n')}
</svg>
`,
);
