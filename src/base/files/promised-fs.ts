// What a start asks of the disks beside the event loop. For `node:fs/promises` Node loads eleven files: 1 ms of each start.
import fs from 'node:fs';
import { promisify } from 'node:util';

export const access = promisify(fs.access);
export const close = promisify(fs.close);
/** Looked up at each call: tests hold a disk there. */
export const fsync = (fd: number): Promise<void> => promisify(fs.fsync)(fd);
/** @returns a descriptor */
export const open = promisify(fs.open);
export const readFile = promisify(fs.readFile);
export const realpath = promisify(fs.realpath.native);
export const stat = promisify(fs.stat);
