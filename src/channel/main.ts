// The program that Claude Code starts once per session. stdout carries MCP and nothing else; all words go to
// stderr. It holds no state worth losing, because Claude Code never restarts a dead MCP server.
import { Console } from 'node:console';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { jsonLog, type Log } from '../base/log.ts';
import { systemClock } from '../base/time/clock.ts';
import { MAX_FRAME_BYTES } from '../protocol/wire/wire.ts';
import { Channel } from './channel.ts';
import { type End, watchLifetime } from './lifetime.ts';
import { readSettings } from './settings.ts';

/** Milliseconds to wait for Claude Code's initialize before the bridge is dialed without it. */
const dialLatestMs = 500;
/** Milliseconds for the last words on the socket. Claude Code sends SIGTERM 100 ms after SIGINT (measured). */
const goodbyeMs = 80;
/** Room for one MCP message, bytes: a call of 1 MiB with everything escaped, and some. */
const maxMessageBytes = 16 * MAX_FRAME_BYTES;

/** Serves until Claude Code goes away, then ends the process with 0. */
export async function main(): Promise<void> {
  const log = stderrLog();
  // A stray console.log would be read as a broken MCP message.
  globalThis.console = new Console(process.stderr);
  process.on('uncaughtException', (error) => log.error('unexpected; the channel goes on', { error }));
  const settings = readSettings(process.env);
  if (settings.kind === 'unlinked') log.error(settings.reason);
  const channel = new Channel({ settings, clock: systemClock, log, pid: process.pid });
  const ended = new Promise<End>((resolve) => {
    watchLifetime(process, resolve);
  });
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: maxMessageBytes,
  });
  dialAfterInitialize(transport, () => link(channel, log));
  await channel.serve(transport);
  log.info('channel ends', { why: await ended });
  await Promise.race([channel.close(), new Promise((resolve) => setTimeout(resolve, goodbyeMs))]);
  process.exit(0);
}

/** The WebSocket client is loaded after initialize was answered: it doubles the start-up time (measured). */
async function link(channel: Channel, log: Log): Promise<void> {
  try {
    const { dialWebSocket } = await import('./ws-dial.ts');
    channel.link(dialWebSocket);
  } catch (error) {
    log.error('the WebSocket client could not be loaded', { error });
  }
}

function dialAfterInitialize(transport: StdioServerTransport, dial: () => void): void {
  let dialed = false;
  const once = () => {
    if (dialed) return;
    dialed = true;
    clearTimeout(latest);
    dial();
  };
  const latest = setTimeout(once, dialLatestMs);
  transport.onmessage = (message) => {
    // The SDK answers within this tick; the dial starts in the next one.
    if ('method' in message && message.method === 'initialize') setImmediate(once);
  };
}

function stderrLog(): Log {
  process.stderr.on('error', () => {});
  const level = process.env.SYNTHESIS_LOG === 'debug' ? 'debug' : 'info';
  return jsonLog({ write: (line) => process.stderr.write(line), wall: systemClock.wall, level });
}

if (import.meta.main) await main();
