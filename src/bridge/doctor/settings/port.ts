import { createServer } from 'node:net';
import { z } from 'zod';
import { type Check, failed, ok } from '../../../domain/views/check.ts';
import type { Examination } from '../examination.ts';

const name = 'port';

export const port: Examination = async ({ config, running }, signal) => {
  if (running) return [ok(name, `The bridge serves ${running.url}`)];
  if (config.port === 0) return [ok(name, 'Any free port is taken at the start.')];
  const problem = await bindProblem(config.port);
  if (problem === undefined) return [ok(name, `Port ${config.port} is free.`)];
  return [await taken(config.port, problem, signal)];
};

/** Why the port cannot be bound; undefined when it can. */
function bindProblem(wanted: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const probe = createServer();
  probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  probe.listen({ host: '127.0.0.1', port: wanted }, () => probe.close(() => resolve(undefined)));
  return promise;
}

async function taken(wanted: number, problem: string, signal: AbortSignal): Promise<Check> {
  const elsewhere = 'Choose another with `synthesis config set port <n>`';
  if (problem !== 'EADDRINUSE') {
    return failed(name, `Port ${wanted} on 127.0.0.1 cannot be used (${problem}).`, `${elsewhere}.`);
  }
  if (await isBridge(wanted, signal)) {
    return failed(
      name,
      `Another bridge serves port ${wanted}; it keeps its state elsewhere.`,
      `Name its folder with --state-dir, or stop it. ${elsewhere} to run both.`,
    );
  }
  return failed(
    name,
    `Port ${wanted} on 127.0.0.1 is in use by another program.`,
    `${elsewhere}, and tell OpenClaw with \`synthesis openclaw install\`.`,
  );
}

const Health = z.object({ status: z.enum(['healthy', 'degraded', 'unavailable']) });

/** Milliseconds for a look at who holds the port. */
const lookMs = 2_000;

async function isBridge(wanted: number, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${wanted}/healthz`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(lookMs)]),
    });
    return Health.safeParse(await answer.json()).success;
  } catch {
    return false;
  }
}
