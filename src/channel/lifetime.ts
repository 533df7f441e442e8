import type { Cancel } from '../base/time/clock.ts';

/** What ends this process: Claude Code closes stdin or sends a signal; if it is killed, the parent changes. */
export type End = 'stdin closed' | 'stdout closed' | 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'parent gone';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds between looks at the parent: only for the rare case that stdin stays open after its death. */
const parentCheckMs = 1000;

/** Calls `end` once, at the first reason to go. @returns a function that stops watching. */
export function watchLifetime(host: NodeJS.Process, end: (why: End) => void): Cancel {
  const undo: Cancel[] = [];
  let over = false;
  const finish = (why: End) => {
    if (over) return;
    over = true;
    end(why);
  };
  const parent = host.ppid;
  const timer = setInterval(() => {
    if (host.ppid !== parent) finish('parent gone');
  }, parentCheckMs);
  timer.unref();
  undo.push(() => clearInterval(timer));
  for (const signal of signals) {
    const handler = () => finish(signal);
    host.on(signal, handler);
    undo.push(() => host.off(signal, handler));
  }
  const onStdin = () => finish('stdin closed');
  const onStdout = () => finish('stdout closed');
  for (const event of ['end', 'close', 'error']) {
    host.stdin.on(event, onStdin);
    undo.push(() => host.stdin.off(event, onStdin));
  }
  // EPIPE: nobody reads any more. Stays registered, because an error without a listener is a crash.
  host.stdout.on('error', onStdout);
  return () => {
    over = true;
    for (const cancel of undo) cancel();
  };
}
