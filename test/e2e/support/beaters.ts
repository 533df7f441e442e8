// What one approved command may leave running: each of them beats, writes when it did, and ends by itself after a minute.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signal } from '../../support/processes.ts';
import { until } from '../../support/until.ts';

/** Ways to leave one behind. `$1` is a script that beats, and `$2` one that forks for ever. */
const ways = {
  loop: 'sh "$1" loop >/dev/null 2>&1 &',
  nohup: 'nohup sh "$1" nohup >/dev/null 2>&1 &',
  setsid: 'setsid sh "$1" setsid >/dev/null 2>&1 &',
  forked: 'setsid --fork sh "$1" forked >/dev/null 2>&1',
  twice: '(setsid sh -c \'sh "$0" twice >/dev/null 2>&1 & exit\' "$1" &)',
  bare: '(env -i PATH="$PATH" setsid --fork sh "$1" bare >/dev/null 2>&1)',
  pty: '(setsid --fork script -qc "sh $1 pty" /dev/null >/dev/null 2>&1 </dev/null)',
  tmux: 'tmux -L "left$$" -f /dev/null new-session -d "sh $1 tmux"',
  racer: '(env -i setsid --fork perl "$2" >/dev/null 2>&1 </dev/null)',
} as const;

const names = Object.keys(ways);

const beat = (folder: string) => `
i=0
while [ $i -lt 600 ]; do i=$((i+1)); echo $$ >>"${folder}/$1.beats"; sleep 0.1; done`;

/** Each generation ends at once, and the next goes on in a session of its own, without an environment. */
const race = (folder: string) => `
use POSIX qw(setsid);
my $end = time + 60;
for (my $n = 0; time < $end; $n++) {
  exit 0 if fork;
  setsid();
  if ($n % 20 == 0) { open(my $out, '>>', '${folder}/racer.beats'); print $out "$$\\n"; close $out; }
  select(undef, undef, undef, 0.001);
}`;

/** What was left in one folder. Dispose of it: nothing of it may outlive its test. */
export class Beaters implements Disposable {
  readonly #folder: string;
  readonly #scripts: readonly [string, string];

  constructor(folder: string) {
    this.#folder = folder;
    this.#scripts = [join(folder, 'beat.sh'), join(folder, 'race.pl')];
    writeFileSync(this.#scripts[0], beat(folder));
    writeFileSync(this.#scripts[1], race(folder));
    writeFileSync(join(folder, 'leave.sh'), Object.values(ways).join('\n'));
  }

  /** The command that leaves all of them behind. */
  get command(): string {
    return `sh leave.sh ${this.#scripts.join(' ')}`;
  }

  /** Resolves when each has beaten a few times. */
  async beating(): Promise<void> {
    await until(
      () => `beats of each: ${JSON.stringify(this.#sizes())}`,
      () => names.every((name) => this.#sizes()[name] !== 0) && this.living().length > 0,
      30_000,
    );
  }

  /** Processes that run one of the scripts, or hold one that does. */
  living(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => this.#scripts.some((script) => commandLine(pid).includes(script)))
      .map(Number);
  }

  /** Returns whether none is there in many looks in a row, and none has beaten meanwhile. */
  isStill(): boolean {
    const before = JSON.stringify(this.#sizes());
    for (let look = 0; look < 50; look += 1) if (this.living().length > 0) return false;
    return before === JSON.stringify(this.#sizes());
  }

  [Symbol.dispose](): void {
    const end = Date.now() + 10_000;
    // A fork racer is first held, and only then killed.
    for (let quiet = 0; quiet < 50 && Date.now() < end; ) {
      const pids = this.living();
      for (const name of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of pids) signal(pid, name);
      quiet = pids.length > 0 ? 0 : quiet + 1;
    }
  }

  #sizes(): Record<string, number> {
    const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);
    return Object.fromEntries(names.map((name) => [name, sizeOf(join(this.#folder, `${name}.beats`))]));
  }
}

/** Of one that has ended, and is only kept for its parent, it is empty. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
