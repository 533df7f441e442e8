// Loaded into a bridge with `--import`: the longest time in which its event loop took nobody else's turn. CPU time of its
// thread, not wall time, so a busy machine does not count. SIGUSR2 writes it to BLOCK_FILE, ms, and begins anew.
import { writeFileSync } from 'node:fs';

const everyMs = 2;
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let before = cpuMs();
let longest = 0;
let reports = 0;

setInterval(() => {
  const now = cpuMs();
  longest = Math.max(longest, now - before);
  before = now;
}, everyMs).unref();

process.on('SIGUSR2', () => {
  reports += 1;
  writeFileSync(process.env.BLOCK_FILE ?? '', JSON.stringify({ reports, longest }));
  longest = 0;
});
