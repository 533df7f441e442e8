import { uptime } from 'node:os';

/**
 * Milliseconds since this machine was started. Those in which it was suspended count, unlike for timers and `Clock.now`. In
 * steps of 10 on Linux, and of 1000 on macOS.
 */
export const sinceBoot = (): number => uptime() * 1000;
