// Ends hosts and all that was started below them, at once. Each host does so itself where it answers (`quit`); what is left
// then is ended from outside, the host last: as long as it lives, what detaches itself from its parent comes to it (0060).
import { type EndedProcess, endProcesses, hasEnded } from '../../base/process/end-processes.ts';
import { isAlive, type ProcessIdentity } from '../../base/process/process-identity.ts';
import {
  allProcesses,
  commandOf,
  descendantsOf,
  lookAt,
  startVariable,
} from '../../base/process/process-table.ts';
import { runsIn, runVariable } from '../../base/process/run-mark.ts';
import { type Clock, pause } from '../../base/time/clock.ts';
import type { HostFolder } from './host-folders.ts';
import { killHost } from './kill-host.ts';

/** For a host to end all by itself, ms. One that holds its program's terminal takes up to 100. */
const answerMs = 2_000;
/** From the last kill until a process counts as one that could not be ended, ms. */
const goneMs = 1_000;
const lookMs = 20;

export interface EndAtOnceOptions {
  hosts: readonly HostFolder[];
  /** The folder of the sessions' folders: what is marked as of any of its runs ends, too. */
  sessions: string;
  clock: Clock;
  /** Asks the hosts to end everything. */
  quit(): Promise<unknown>;
}

/** What ran in one session. */
export interface EndedRun {
  /** Name of the session's folder; undefined where nothing tells it. */
  folder: string | undefined;
  /** Each process that was ended, Claude Code among them, as `sh (1234)`. */
  commands: string[];
}

export interface EndedAtOnce {
  runs: EndedRun[];
  /** What still lives, in words. */
  alive: string[];
}

/** Resolves within about 4 s. Never ends this process. */
export async function endAtOnce({ hosts, sessions, clock, quit }: EndAtOnceOptions): Promise<EndedAtOnce> {
  const found = new Found(hosts, runsIn(sessions));
  found.look();
  await Promise.race([quit(), pause(clock, answerMs)]);
  for (const { name, file } of hosts)
    if (isAlive(file))
      found.add(
        name,
        endProcesses(() => descendantsOf(file.pid).filter(isOther)),
      );
  found.add(
    undefined,
    endProcesses(() => found.marked().map(({ pid }) => pid)),
  );
  for (const { file } of hosts) killHost(file);
  const all = [...found.processes.values(), ...hosts.map(({ name, file }) => hostOf(name, file))];
  const deadline = clock.now() + goneMs;
  while (all.some(isAlive) && clock.now() < deadline) await pause(clock, lookMs);
  const alive = all.filter(isAlive);
  return {
    runs: runsOf([...found.processes.values()].filter((each) => !alive.includes(each))),
    alive: alive.map(aliveWords),
  };
}

type FoundProcess = Omit<EndedProcess, 'group'> & { folder: string | undefined };

/** Everything that is to end, by its pid. */
class Found {
  readonly processes = new Map<number, FoundProcess>();
  readonly #hosts: readonly HostFolder[];
  readonly #runOf: (mark: string) => string | undefined;

  constructor(hosts: readonly HostFolder[], runOf: (mark: string) => string | undefined) {
    this.#hosts = hosts;
    this.#runOf = runOf;
  }

  /** What runs now: below the hosts first, by which its session is known. */
  look(): void {
    for (const { name, file } of this.#hosts)
      for (const pid of descendantsOf(file.pid)) this.#note(pid, name);
    for (const { pid, run } of this.marked())
      this.#note(pid, this.#hosts.find(({ file }) => file.run === run)?.name);
  }

  /** Reads the environment of every process of the user: some milliseconds. */
  marked(): { pid: number; run: string }[] {
    return allProcesses().flatMap((pid) => {
      const run = isOther(pid) ? this.#runOf(startVariable(pid, runVariable) ?? '') : undefined;
      return run === undefined ? [] : [{ pid, run }];
    });
  }

  add(folder: string | undefined, ended: readonly EndedProcess[]): void {
    for (const each of ended)
      if (!this.processes.has(each.pid)) this.processes.set(each.pid, { ...each, folder });
  }

  #note(pid: number, folder: string | undefined): void {
    const facts = lookAt(pid);
    if (!isOther(pid) || this.processes.has(pid) || !facts || hasEnded(facts)) return;
    this.processes.set(pid, { pid, started: facts.started, command: commandOf(facts), folder });
  }
}

/** Whoever ends everything may itself be below a host. */
const isOther = (pid: number): boolean => pid !== process.pid;

const hostOf = (folder: string, { pid, started }: ProcessIdentity): FoundProcess => ({
  pid,
  started,
  command: 'the host of a Claude Code',
  folder,
});

function runsOf(processes: readonly FoundProcess[]): EndedRun[] {
  return [...Map.groupBy(processes, ({ folder }) => folder)].map(([folder, each]) => ({
    folder,
    commands: each.map(({ pid, command }) => `${command} (${pid})`),
  }));
}

function aliveWords({ pid, command }: FoundProcess): string {
  const why = isOthers(pid)
    ? 'belongs to another user'
    : lookAt(pid)?.state === 'D'
      ? 'waits for a device'
      : 'does not end';
  return `${command} (${pid}) ${why}`;
}

function isOthers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
