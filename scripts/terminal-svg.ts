// A terminal's screen as SVG: one rectangle per run of background, one text per run of equal cells.
import type { IBufferCell, Terminal } from '@xterm/headless';

/** Cell size and paddings, pixels. */
const cell = { width: 8.43, height: 18 };
const pad = { x: 18, top: 40, bottom: 16 };
const fontSize = 14;

const dark = {
  window: '#15181e',
  bar: '#1d2129',
  edge: '#2c323d',
  text: '#d3d8e0',
  faint: '#7d8694',
  normal: ['#15181e', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d3d8e0'],
  bright: ['#5c6370', '#e88891', '#b1d196', '#ecd29c', '#84c2f4', '#d495e6', '#79c7d1', '#ffffff'],
};

const light: typeof dark = {
  window: '#fbfbfa',
  bar: '#eceef1',
  edge: '#cfd4db',
  text: '#2b2f36',
  faint: '#6d7581',
  normal: ['#1d2129', '#c0392b', '#3f7d20', '#96690a', '#2563c9', '#8f3fa8', '#3aa7b5', '#2b2f36'],
  bright: ['#6d7581', '#d4564a', '#529731', '#b3810f', '#4480de', '#a65abd', '#4fbccb', '#101216'],
};

export type Theme = 'dark' | 'light';

let colours = dark;

interface Style {
  colour: string;
  background: string | undefined;
  bold: boolean;
  dim: boolean;
  underline: boolean;
}

interface Run extends Style {
  column: number;
  cells: number;
  text: string;
}

const palette = (index: number): string =>
  (index < 8 ? colours.normal[index] : colours.bright[index - 8]) ?? colours.text;

function styleOf(cell: IBufferCell): Style {
  const front = cell.isFgPalette() ? palette(cell.getFgColor()) : colours.text;
  const back = cell.isBgPalette() ? palette(cell.getBgColor()) : undefined;
  const inverse = cell.isInverse() !== 0;
  return {
    colour: inverse ? (back ?? colours.window) : front,
    background: inverse ? front : back,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    underline: cell.isUnderline() !== 0,
  };
}

const same = (a: Style, b: Style): boolean =>
  a.colour === b.colour &&
  a.background === b.background &&
  a.bold === b.bold &&
  a.dim === b.dim &&
  a.underline === b.underline;

/** Cells that look alike in a row, wide characters on their own so that the grid stays a grid. */
function runsOf(terminal: Terminal, row: number): Run[] {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row);
  const runs: Run[] = [];
  for (let column = 0; line && column < terminal.cols; column += 1) {
    const at = line.getCell(column);
    if (!at || at.getWidth() === 0) continue;
    const style = styleOf(at);
    const text = at.getChars() || ' ';
    const last = runs.at(-1);
    const joins = last && at.getWidth() === 1 && last.cells === last.text.length && same(last, style);
    if (joins) {
      last.text += text;
      last.cells += 1;
    } else runs.push({ ...style, column, cells: at.getWidth(), text });
  }
  return runs;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const number = (value: number): string => String(Math.round(value * 100) / 100);

function draw(run: Run, row: number): string {
  const x = number(pad.x + run.column * cell.width);
  const y = pad.top + row * cell.height;
  const width = number(run.cells * cell.width);
  const box = run.background
    ? `<rect x="${x}" y="${y}" width="${width}" height="${cell.height}" fill="${run.background}"/>`
    : '';
  if (run.text.trim() === '') return box;
  const looks = [
    run.bold ? ' font-weight="700"' : '',
    run.dim ? ' opacity="0.6"' : '',
    run.underline ? ' text-decoration="underline"' : '',
  ].join('');
  const end = run.text.trimEnd();
  const length = number((run.cells - (run.text.length - end.length)) * cell.width);
  return `${box}<text x="${x}" y="${y + 13.5}" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${run.colour}"${looks} xml:space="preserve">${escaped(end)}</text>`;
}

/** @param title stands in the window's bar. */
export function terminalSvg(terminal: Terminal, title: string, theme: Theme = 'dark'): string {
  colours = theme === 'dark' ? dark : light;
  const rows = Array.from({ length: terminal.rows }, (_, row) =>
    runsOf(terminal, row)
      .map((run) => draw(run, row))
      .join(''),
  );
  const width = Math.ceil(terminal.cols * cell.width + 2 * pad.x);
  const height = Math.ceil(terminal.rows * cell.height + pad.top + pad.bottom);
  const dots = [0, 1, 2].map((at) => `<circle cx="${20 + at * 18}" cy="15" r="5.5" fill="${colours.edge}"/>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="${fontSize}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${colours.window}" stroke="${colours.edge}"/>`,
    `<path d="M0 10a10 10 0 0 1 10-10h${width - 20}a10 10 0 0 1 10 10v20H0z" fill="${colours.bar}"/>`,
    ...dots,
    `<text x="${width / 2}" y="20" text-anchor="middle" font-size="12" fill="${colours.faint}">${escaped(title)}</text>`,
    ...rows.filter((row) => row !== ''),
    '</svg>',
    '',
  ].join('\n');
}
