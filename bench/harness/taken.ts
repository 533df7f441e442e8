/** What some work took of this process. */
export interface Taken {
  /** CPU time of all its threads, milliseconds. */
  cpuMs: number;
  /** The most memory that the process ever held, bytes. */
  peakBytes: number;
}

export async function taken(work: () => Promise<unknown> | unknown): Promise<Taken> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return { cpuMs: (user + system) / 1000, peakBytes: process.resourceUsage().maxRSS * 1024 };
}
