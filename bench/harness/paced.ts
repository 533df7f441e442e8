/** Calls `send` `perSecond` times a second for `ms` milliseconds, evenly. Timers have 1 ms: what is due goes then. */
export async function paced(perSecond: number, ms: number, send: (n: number) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const start = performance.now();
  const total = Math.round((perSecond * ms) / 1000);
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(total, ((performance.now() - start) * perSecond) / 1000);
    while (sent < due) send(sent++);
    if (sent >= total) resolve();
  }, 1);
  await promise.finally(() => clearInterval(timer));
}
