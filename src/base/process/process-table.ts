// What /proc says of processes (Linux). Every look is a moment: a process may end, or get another parent, right after it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { late } from '../late.ts';

export interface ProcessFacts {
  pid: number;
  parent: number;
  /** As the kernel calls it: at most 15 characters. */
  name: string;
  /** `R`, `S`, `D`, `T`, `Z`, … */
  state: string;
  /** Of processes: that of who leads it. */
  group: number;
  /** Number of its controlling terminal; 0 for none. */
  terminal: number;
  /** Start time as the kernel counts it. */
  started: string;
}

/** @returns undefined when there is no such process */
export function lookAt(pid: number): ProcessFacts | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name is in parentheses and may hold any of them, and blanks.
  const [open, close] = [stat.indexOf('('), stat.lastIndexOf(')')];
  if (open < 0 || close < 0) return undefined;
  const [state = '', parent, group, , terminal, ...rest] = stat.slice(close + 2).split(' ');
  return {
    pid,
    parent: Number(parent),
    name: stat.slice(open + 1, close),
    state,
    group: Number(group),
    terminal: Number(terminal),
    started: rest[14] ?? '',
  };
}

/** Longest ancestry that is followed. */
const maxAncestors = 128;

/** Returns a process, its parent, and so on to the first of all; empty when there is none. */
export function ancestryOf(pid: number): ProcessFacts[] {
  const chain: ProcessFacts[] = [];
  for (let next = pid; next > 0 && chain.length < maxAncestors; ) {
    const facts = lookAt(next);
    if (!facts) break;
    chain.push(facts);
    next = facts.parent;
  }
  return chain;
}

/** Returns every process below one, by their numbers. Those that fork and end while it looks may be missing. */
export const descendantsOf = (pid: number): number[] =>
  [...eachDescendant(pid)].sort((one, other) => one - other);

/**
 * The same, each as soon as it is found, and the youngest of a parent first: one that forks and ends without a pause is there
 * for a moment only.
 * @param isGone asked when all of one parent were found: what is below it is not looked for
 */
export function* eachDescendant(pid: number, isGone = (_pid: number): boolean => false): Generator<number> {
  const found = new Set<number>([pid]);
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const children = childrenOf(next).filter((child) => !found.has(child));
    for (const child of children.reverse()) {
      found.add(child);
      yield child;
    }
    for (const child of children) if (!isGone(child)) open.push(child);
  }
}

/** Returns the children of all its threads: an orphan may be given to any. */
export function childrenOf(pid: number): number[] {
  if (!listsChildren()) return allProcesses().filter((each) => lookAt(each)?.parent === pid);
  return namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number),
  );
}

/** A kernel may be built without the lists of children. */
const listsChildren = late(() => existsSync(`/proc/self/task/${process.pid}/children`));

/** Returns every process there is. */
export const allProcesses = (): number[] => namesIn('/proc').map(Number).filter(Number.isInteger);

/**
 * Returns one variable of the environment that a process was started with. It may have changed it since.
 * @returns undefined when it has none, or may not be looked at
 */
export function startVariable(pid: number, name: string): string | undefined {
  const start = `${name}=`;
  const found = read(`/proc/${pid}/environ`)
    .split('\0')
    .find((each) => each.startsWith(start));
  return found?.slice(start.length);
}

/** Returns the name of a terminal by its number (proc_pid_stat(5)), such as `pts/3`; undefined for none. */
export function terminalName(number: number): string | undefined {
  if (number === 0) return undefined;
  const [major, minor] = [(number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xfff00)];
  if (major >= 136 && major <= 143) return `pts/${(major - 136) * 256 + minor}`;
  return major === 4 ? `tty${minor}` : `terminal ${major}:${minor}`;
}

/** Returns what it was called as, such as `bash`, or the script that a `node` runs; its name where that cannot be read. */
export function commandOf({ pid, name }: Pick<ProcessFacts, 'pid' | 'name'>): string {
  const [program = '', script = ''] = read(`/proc/${pid}/cmdline`).split('\0');
  const isScript = /^node(?:js)?$/.test(basename(program)) && script !== '' && !script.startsWith('-');
  return basename(isScript ? script : program).replace(/^-/, '') || name;
}

/** Returns its group of the unified hierarchy, such as `/user.slice/…/x.scope`; '' when unknown. */
export const cgroupOf = (pid: number): string => /^0::(.*)$/m.exec(read(`/proc/${pid}/cgroup`))?.[1] ?? '';

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
