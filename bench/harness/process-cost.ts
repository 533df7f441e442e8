// What the kernel says that a process took. Linux only.
import { readFileSync } from 'node:fs';

/** Clock ticks a second in /proc: 100 on every Linux that matters. */
const ticksPerSecond = 100;

/** CPU milliseconds of a process so far, all of its threads. @throws where there is no /proc */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

/** Memory that only this process has, bytes: what ending it would give back. @throws where there is no /proc */
export function privateBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)].map(([, kB]) => Number(kB));
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}

/** Memory that this process has in RAM, bytes: what it shares with others, too. @throws where there is no /proc */
export function residentBytes(pid: number): number {
  const [, kB] = /^Rss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kB) * 1024;
}

/** Memory of this process, bytes: what it shares with others counts by its share. @throws where there is no /proc */
export function proportionalBytes(pid: number): number {
  const [, kB] = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kB) * 1024;
}
