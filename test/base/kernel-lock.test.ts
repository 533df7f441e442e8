import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KernelLock, LockBusyError } from '../../src/base/files/kernel-lock.ts';
import { tempFolder } from '../vault/temp-vault.ts';

test('one holds it at a time, and whoever tried in vain may try again', () => {
  const file = join(tempFolder(), 'lock');
  const lock = KernelLock.take(file, 0);
  expect(() => KernelLock.take(file, 20)).toThrow(LockBusyError);
  lock.release();
  lock.release();
  KernelLock.take(file, 0).release();
});

test('a place where no file can be is no lock that somebody holds', () => {
  expect(() => KernelLock.take(join(tempFolder(), 'no/lock'), 0)).not.toThrow(LockBusyError);
  expect(() => KernelLock.take(join(tempFolder(), 'no/lock'), 0)).toThrow('unable to open');
});
