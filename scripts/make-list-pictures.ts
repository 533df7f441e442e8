// Takes the pictures of the list of sessions: `TZ=UTC node scripts/make-list-pictures.ts`. Nothing runs for them: the
// rows of a made-up afternoon are folded and painted as the program does it, so that they come out the same each time.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import xterm from '@xterm/headless';
import { screen } from '../src/cli/tui/terminal/screen.ts';
import { paint } from '../src/cli/tui/text/paint.ts';
import { packSession } from '../src/domain/views/snapshot.ts';
import { afternoon } from '../test/cli/tui/fifty.ts';
import { Seat } from '../test/cli/tui/seat.ts';
import { terminalSvg } from './terminal-svg.ts';

const pictures = resolve(import.meta.dirname, '../docs/pictures');
const sizes = [
  [80, 24],
  [120, 40],
  [200, 50],
  [40, 12],
] as const;

/** Somebody who comes at the end of the afternoon: the bridge tells what there is, and what happened. */
function arriving(count: number, columns: number, rows: number): Seat {
  const { model } = afternoon(count, columns, rows);
  const seat = new Seat(columns, rows);
  const sessions = [...model.sessions.values()].map(({ session }) => packSession(session));
  seat.news({ kind: 'snapshot', snapshot: { seq: model.here.seq, sessions } });
  seat.news({ kind: 'rows', rows: model.frames });
  return seat;
}

async function drawn(
  seat: Seat,
  columns: number,
  rows: number,
): Promise<InstanceType<typeof xterm.Terminal>> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  let row = 0;
  const at = (column: number) => `\u001b[${row};${column}H`;
  for (const part of screen(seat.model).parts) {
    const lines = part.kind === 'rows' ? part.lines : part.left;
    lines.forEach((line, index) => {
      row += 1;
      terminal.write(at(1) + paint(line, 'coloured'));
      if (part.kind === 'rows') return;
      const rule = `\u001b[2m${index === 0 ? '┬' : '│'}\u001b[22m`;
      const right = paint(part.right[index] ?? [], 'coloured');
      terminal.write(at(part.widths[0] + 1) + rule + right);
    });
  }
  await new Promise<void>((done) => terminal.write('', done));
  return terminal;
}

for (const [name, count] of [
  ['three', 3],
  ['fifty', 50],
] as const)
  for (const [columns, rows] of sizes) {
    const terminal = await drawn(arriving(count, columns, rows), columns, rows);
    for (const theme of ['dark', 'light'] as const) {
      const file = `${name}-${columns}x${rows}-${theme}.svg`;
      const title = `synthesis attach — ${columns} × ${rows}`;
      writeFileSync(join(pictures, file), terminalSvg(terminal, title, theme));
      console.log(file);
    }
    if (process.argv.includes('--text')) console.log(terminalText(terminal));
    terminal.dispose();
  }

function terminalText({ buffer, rows }: InstanceType<typeof xterm.Terminal>): string {
  return Array.from(
    { length: rows },
    (_, row) => buffer.active.getLine(row)?.translateToString(true) ?? '',
  ).join('\n');
}
