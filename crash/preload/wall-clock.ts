// Loaded into the bridge in front of everything (`--import`): its wall clock reads as many milliseconds beside the right
// time as a file says, from the moment of each SIGUSR2 on. What the kernel measures with, timers and `performance`, goes
// on as it is: so do machines whose clock somebody sets.
import { readFileSync } from 'node:fs';

const file = process.env.CRASH_CLOCK ?? '';
const RightDate = Date;
let beside = Number(readFileSync(file, 'utf8'));

class SetDate extends RightDate {
  constructor(...args: [] | [number]) {
    // `new Date()` alone asks for the time.
    super(...(args.length === 0 ? ([SetDate.now()] as const) : args));
  }

  static override now(): number {
    return RightDate.now() + beside;
  }
}

globalThis.Date = SetDate as DateConstructor;
process.on('SIGUSR2', () => {
  beside = Number(readFileSync(file, 'utf8'));
});
