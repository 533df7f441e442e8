// The kernel's table of TCP connections (Linux): which socket is at the other end of one on this machine, and whose it is.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isIPv4 } from 'node:net';

export interface Endpoint {
  address: string;
  port: number;
}

export interface TcpRow {
  /** Of the user that has it. */
  uid: number;
  /** Of the socket; 0 for one that no process has any more. */
  inode: number;
}

/** Returns the row of the connection from `local` to `remote`, as the process at `local` has it. */
export function tcpRow(local: Endpoint, remote: Endpoint): TcpRow | undefined {
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const [from, to] = [local, remote].map((end) => hex(end, table.endsWith('6')));
    const text = from && to ? read(table) : '';
    // Not line by line: there may be thousands.
    const start = text.indexOf(` ${from} ${to} `);
    if (start < 0) continue;
    const fields = text.slice(start, text.indexOf('\n', start)).trim().split(/ +/);
    return { uid: Number(fields[6]), inode: Number(fields[8]) };
  }
  return undefined;
}

/** Returns whether a process has this socket; false also where it may not be looked at. */
export function holdsSocket(pid: number, inode: number): boolean {
  const wanted = `socket:[${inode}]`;
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === wanted);
  } catch {
    return false;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** As the table has it: words of four bytes in the order of this machine, which is little-endian wherever Node runs. */
function hex({ address, port }: Endpoint, isSix: boolean): string {
  const bytes = isSix ? bytesOfSix(address) : bytesOfFour(address);
  if (!bytes) return '';
  let text = '';
  for (let at = 0; at < bytes.length; at += 4)
    text += Buffer.from(bytes.subarray(at, at + 4))
      .reverse()
      .toString('hex');
  return `${text}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

/** A socket of version 6 says those of version 4 mapped. */
function bytesOfFour(address: string): Buffer | undefined {
  const four = address.replace(/^::ffff:/i, '');
  return isIPv4(four) ? Buffer.from(four.split('.').map(Number)) : undefined;
}

function bytesOfSix(address: string): Buffer | undefined {
  const four = bytesOfFour(address);
  if (four) return Buffer.concat([Buffer.from('00000000000000000000ffff', 'hex'), four]);
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const [before, after] = [groups(head), groups(tail ?? '')];
  const missing = 8 - before.length - after.length;
  if (missing < 0 || (tail === undefined && missing !== 0)) return undefined;
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return Buffer.from(all.map((each) => each.padStart(4, '0')).join(''), 'hex');
}
