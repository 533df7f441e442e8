import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter } from '../../../base/text/lines.ts';
import type { StdioEntry } from '../settings/settings.ts';
import type { McpConnection, McpListener } from './mcp-connection.ts';

/** Characters in one message; Claude Code itself has no small limit. */
const maxMessageChars = 64 * 1024 * 1024;

export interface McpChildOptions extends McpListener {
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/** Starts one stdio MCP server and cuts its output into messages. Ends by SIGINT, 100 ms later SIGTERM, then SIGKILL. */
export function spawnMcpChild(entry: StdioEntry, options: McpChildOptions): McpConnection {
  const child = spawn(entry.command, entry.args ?? [], {
    cwd: options.cwd,
    env: { ...options.env, ...entry.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = new LineSplitter(maxMessageChars);
  child.stdout.on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) {
      const message = parse(line);
      if (message !== undefined) options.onMessage(message);
    }
  });
  child.stdin.on('error', () => {}); // its death is reported by `exit`
  const exited = new Promise<void>((resolve) => {
    const once = (reason: string) => {
      options.onExit(reason);
      resolve();
    };
    child.once('error', (error) => once(error.message));
    child.once('exit', (code, signal) => once(signal ?? `exit code ${code}`));
  });
  return {
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    stop: () => stop(child, exited),
  };
}

/** Milliseconds to wait after each signal before the next (100 ms after SIGINT measured on 2.1.329). */
const steps = [
  { signal: 'SIGINT', waitMs: 100 },
  { signal: 'SIGTERM', waitMs: 2000 },
  { signal: 'SIGKILL', waitMs: 500 },
] as const;

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  for (const { signal, waitMs } of steps) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    child.kill(signal);
    const waiting = new AbortController();
    await Promise.race([exited, sleep(waitMs, undefined, { signal: waiting.signal }).catch(() => {})]);
    waiting.abort();
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // a server that logs to stdout
  }
}
