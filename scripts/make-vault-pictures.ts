// Takes the pictures of the guide to the vault: `node scripts/make-vault-pictures.ts` runs the built commands in a real
// terminal over a few notes, and writes what they show to docs/pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Home } from '../test/e2e/support/program.ts';
import { Tui } from '../test/e2e/support/tui.ts';
import { until } from '../test/support/until.ts';
import { terminalSvg } from './terminal-svg.ts';

const pictures = resolve(import.meta.dirname, '../docs/pictures');

const notes = {
  'House/Rent.md':
    '# Rent\n\n## What we pay\n\nThe rent is 900 euros a month, due on the first. Heating comes on top: 110.\n',
  'House/Boiler.md':
    '# Boiler\n\nThe valve under the boiler is turned at 41 degrees. Who lets the flat pays the service.\n',
  'Diary/2026-11-02.md':
    '# 2 November\n\nAsked whether the rent may rise in spring. It may not, before July.\n',
  'Work/Accounts.md': `# Accounts\n\nThe printer: admin, password: ${['Xk9#m', 'Pq2vL8s'].join('')}\n`,
};

await using home = new Home();
const folder = join(home.path, 'Notes');
for (const [path, text] of Object.entries(notes)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
await home.run(['vault', 'init', folder, '--state-dir', home.state]);

async function take(name: string, args: string[], rows: number, last: string): Promise<void> {
  await using tui = new Tui(['vault', ...args, '--state-dir', home.state], home.env(), 80, rows);
  await tui.shows(last);
  await until('its end', () => tui.exitCode !== undefined);
  await new Promise<void>((drawn) => tui.terminal.write('', drawn));
  const title = ['synthesis vault', ...args].join(' ');
  const svg = terminalSvg(tui.terminal, title).replaceAll(home.path, '/home/you');
  writeFileSync(join(pictures, `${name}.svg`), svg);
  console.log(`${name}.svg  80x${rows}`);
}

await take('vault-search', ['search', 'how', 'high', 'is', 'the', 'rent'], 12, 'before July');
await take('vault-secret', ['search', 'printer', 'password'], 8, 'Not shown');
