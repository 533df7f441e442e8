// The operator's screen as an operator has it: the built program in a real terminal, read cell by cell.
import { resolve } from 'node:path';
import { Pty } from '../../support/pty.ts';

const program = resolve(import.meta.dirname, '../../../bin/synthesis.js');

export const keys = {
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  pageDown: '\x1b[6~',
  pageUp: '\x1b[5~',
  home: '\x1b[H',
  end: '\x1b[F',
  esc: '\x1b',
  enter: '\r',
  tab: '\t',
  shiftTab: '\x1b[Z',
  newLine: '\n',
} as const;

export class Tui extends Pty {
  constructor(args: string[], env: Record<string, string>, cols: number, rows: number, term?: string) {
    super([process.execPath, program, ...args], {
      cols,
      rows,
      cwd: process.cwd(),
      env,
      term,
    });
  }
}
