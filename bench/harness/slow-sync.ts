// Loaded in front of a program (`--import`): every sync of a file takes SLOW_SYNC_MS longer, as on a poor disk.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const ms = Number(process.env.SLOW_SYNC_MS);
const { fdatasync } = fs;

Object.assign(fs, {
  fdatasync: (fd: number, done: fs.NoParamCallback) => void setTimeout(() => fdatasync(fd, done), ms),
});
syncBuiltinESMExports();
