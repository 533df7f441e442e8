import type { Program } from './program.ts';

/** How long a program may be busy before it answers, milliseconds. */
const patienceMs = 10_000;

/** CPU milliseconds that a program takes for some work, which is given to it from here. @param program tells it: see `tellCost` */
export async function cpuOf(program: Program, work: () => Promise<unknown>): Promise<number> {
  const before = await soFar(program);
  await work();
  return (await soFar(program)) - before;
}

const soFar = async (program: Program): Promise<number> => Number((await program.ask({}, patienceMs)).cpuMs);
