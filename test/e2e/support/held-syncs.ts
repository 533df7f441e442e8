// Loaded in front of a program (`--import`): its files are not synced while the file HELD_SYNCS exists, as on a disk that
// takes its time.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';

const hold = process.env.HELD_SYNCS ?? '';
const { fdatasync } = fs;

function whenFree(then: () => void): void {
  const watcher = fs.watch(dirname(hold));
  const look = () => {
    if (fs.existsSync(hold)) return;
    watcher.close();
    then();
  };
  watcher.on('change', look);
  look();
}

if (hold !== '') {
  Object.assign(fs, {
    fdatasync: (fd: number, done: fs.NoParamCallback) => whenFree(() => fdatasync(fd, done)),
  });
  syncBuiltinESMExports();
}
