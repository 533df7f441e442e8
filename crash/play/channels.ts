// The channel servers of a house, as the operating system knows them: each is a child of one Claude Code.
import { readdirSync, readFileSync } from 'node:fs';
import { channelProgram } from '../../test/e2e/support/program.ts';
import { operate, type SessionSeen } from './operator.ts';

export interface ChannelSeen {
  pid: number;
  session: string;
  /** What Claude Code started it with. */
  env: Record<string, string>;
}

function read(pid: string, name: 'cmdline' | 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}

const parentOf = (pid: string) => Number(/^\d+ \(.*\) \S (\d+) /s.exec(read(pid, 'stat'))?.[1]);

const environment = (pid: string) =>
  Object.fromEntries(
    read(pid, 'environ')
      .split('\0')
      .flatMap((line) =>
        line.includes('=') ? [[line.split('=')[0], line.slice(line.indexOf('=') + 1)]] : [],
      ),
  );

/** The process of a session's Claude Code, as the bridge has it. */
export async function claudeOf(stateDir: string, session: string): Promise<number | undefined> {
  const seen = (await operate<SessionSeen[]>(stateDir, 'session.list', {})) ?? [];
  return seen.find(({ key }) => key === session)?.pid ?? undefined;
}

export async function channelsOf(stateDir: string): Promise<ChannelSeen[]> {
  const seen = (await operate<SessionSeen[]>(stateDir, 'session.list', {})) ?? [];
  const running = readdirSync('/proc').filter((pid) => read(pid, 'cmdline').includes(channelProgram));
  return running.flatMap((pid) => {
    const owner = seen.find((session) => session.pid === parentOf(pid));
    return owner ? [{ pid: Number(pid), session: owner.key, env: environment(pid) }] : [];
  });
}
