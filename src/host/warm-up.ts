import { systemClock } from '../base/time/clock.ts';
import { HookDoor } from './hooks/hook-door.ts';
import { HookSpool } from './hooks/hook-spool.ts';
import { loadPty } from './program/pty.ts';

/** What is slow the first time is done once, for nothing: the first port takes 6 ms and more, another one 1. Leaves none open. */
export async function warmUp(): Promise<void> {
  loadPty();
  const door = await HookDoor.open(new HookSpool(), systemClock);
  await door.close();
}
