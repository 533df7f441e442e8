// Loaded into the bridge in front of everything (`--import`): after SIGUSR2 the next sync of one of the journal's files
// fails with EIO. The file is as it was at its last good sync then: a kernel may give up pages that it could not write.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Callback = (error: NodeJS.ErrnoException | null) => void;

let armed = false;
/** By inode, what was in a file when it was synced last. */
const synced = new Map<number, Buffer>();

process.on('SIGUSR2', () => {
  armed = true;
});

const isOurs = (fd: number) => fs.readlinkSync(`/proc/self/fd/${fd}`).includes('/journal');

/** By the descriptor itself: to open the database and close it again would drop the lock on it. */
function contentOf(fd: number): Buffer {
  const content = Buffer.alloc(fs.fstatSync(fd).size);
  fs.readSync(fd, content, 0, content.length, 0);
  return content;
}

/** @returns whether this sync is the one */
function fails(fd: number): boolean {
  if (!armed || !isOurs(fd)) return false;
  armed = false;
  const before = synced.get(fs.fstatSync(fd).ino);
  if (before) {
    fs.writeSync(fd, before, 0, before.length, 0);
    fs.ftruncateSync(fd, before.length);
  }
  return true;
}

const failure = (syscall: string) =>
  Object.assign(new Error(`EIO: i/o error, ${syscall}`), { code: 'EIO', errno: -5, syscall });

for (const name of ['fsync', 'fdatasync'] as const) {
  const right = fs[name];
  const rightSync = fs[`${name}Sync`];
  const failing = (fd: number, callback: Callback) => {
    if (fails(fd)) return void setImmediate(callback, failure(name));
    // What is written while it goes on may be left out.
    const content = isOurs(fd) ? contentOf(fd) : undefined;
    const { ino } = fs.fstatSync(fd);
    right(fd, (error) => {
      if (!error && content) synced.set(ino, content);
      callback(error);
    });
  };
  fs[`${name}Sync`] = (fd) => {
    if (fails(fd)) throw failure(name);
    rightSync(fd);
  };
  fs[name] = Object.assign(failing, { __promisify__: right.__promisify__ });
}
syncBuiltinESMExports();
