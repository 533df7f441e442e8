import { spawn } from 'node:child_process';
import { once } from 'node:events';

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

/** A program that speaks MCP over stdio, or echoes, and has answered `initialize`. */
export interface Initialized extends AsyncDisposable {
  pid: number;
  /** Milliseconds from its start to the first line of its answer. */
  ms: number;
}

/** Starts `node script`. @throws when it ends before it has answered */
export async function initialized(script: string, env: Record<string, string>): Promise<Initialized> {
  const from = performance.now();
  const child = spawn(process.execPath, [script], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  child.stdin.write(`${initialize}\n`);
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(([code]) => {
      throw new Error(`${script} ended with ${code} before it answered`);
    }),
  ]);
  const ms = performance.now() - from;
  const end = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { pid: child.pid ?? 0, ms, [Symbol.asyncDispose]: end };
}
