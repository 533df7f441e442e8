import { close, fsync, open } from './promised-fs.ts';

/** As `syncFolder`, beside the event loop: names in the folder survive a power cut when this resolves. */
export async function folderSynced(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await fsync(folder).finally(() => close(folder));
}
