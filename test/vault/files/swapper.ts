// A program that puts a link in the place of a folder and takes it away again, until it is killed: what an attacker does
// who can write to the vault, while somebody reads it.
import { renameSync, rmSync, symlinkSync, unlinkSync, writeSync } from 'node:fs';

const [folder = '', aside = '', outside = ''] = process.argv.slice(2);
writeSync(1, 'ready\n');
/** Now at once, now after as long as it takes to open a file. */
const stay = () => {
  const end = performance.now() + Math.random() * 0.4;
  while (performance.now() < end);
};
/** What the reader under test has made in the place of the folder goes away. */
const put = (work: () => void) => {
  try {
    work();
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
};
for (;;) {
  stay();
  put(() => renameSync(folder, aside));
  put(() => symlinkSync(outside, folder));
  put(() => unlinkSync(folder));
  put(() => renameSync(aside, folder));
}
