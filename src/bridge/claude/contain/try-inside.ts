// Tries from inside what a contained Claude Code must not be able to do. Nothing is changed by what succeeds.
import { runProgram } from '../../../base/process/run-program.ts';
import { containArgs } from './contain-args.ts';
import { containMounts, type Room } from './contain-mounts.ts';
import { realDisk } from './disk.ts';

export interface Targets {
  /** The control socket; undefined where no bridge listens. */
  control: string | undefined;
  token: string;
  /** Of the bridge, or of whoever asks. */
  pid: number;
}

/** ms for Node to start and six quick tries. */
const trialMs = 15_000;

/** Each try is a sentence's end, and its code in a function that throws, or rejects, when it is refused. */
const source = `
const fs = require('node:fs'), net = require('node:net'), path = require('node:path');
const { control, token, pid, home, cwd } = JSON.parse(process.argv[1]);
const make = (folder) => { const at = path.join(folder, '.synthesis-trial-' + process.pid); fs.mkdirSync(at); fs.rmdirSync(at); };
const tries = {
  'reads the token of the bridge': () => { if (fs.readFileSync(token).length === 0) throw new Error('blank'); },
  'writes to your home folder': () => make(home),
  'writes beside its work folder': () => make(path.dirname(cwd)),
  'signals the bridge': () => process.kill(pid, 0),
  'sees processes of yours': () => { if (fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length > 5) return; throw new Error('none'); },
  ...(control && { 'connects to the control socket': () => new Promise((is, not) => net.connect(control).on('connect', is).on('error', not)) }),
};
(async () => {
  const worked = [];
  for (const [words, attempt] of Object.entries(tries)) await Promise.resolve().then(attempt).then(() => worked.push(words), () => {});
  let writes = true;
  try { make(cwd); } catch { writes = false; }
  console.log(JSON.stringify({ worked, tried: Object.keys(tries).length, writes }));
  process.exit();
})();`;

export type Trial =
  | { worked: string[]; tried: number; writes: boolean }
  /** It could not be tried, a sentence. */
  | { words: string };

/** Never rejects. @param bwrap bubblewrap's executable */
export async function tryInside(bwrap: string, room: Room, targets: Targets): Promise<Trial> {
  const { cwd, access } = room;
  const args = containArgs(containMounts(room, realDisk), cwd);
  const what = JSON.stringify({ ...targets, home: access.home, cwd });
  const command = [bwrap, ...args, process.execPath, '-e', source, what];
  const run = await runProgram({ command, timeoutMs: trialMs });
  if (!run.ok) return { words: `A trial could not be made: ${run.words}.` };
  try {
    return JSON.parse(run.stdout) as Trial;
  } catch {
    return { words: `A trial said something else than expected: ${run.stdout.slice(0, 200)}` };
  }
}
