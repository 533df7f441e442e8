import { Samples } from './samples.ts';

/** What the process itself costs. Resolves after one round of the event loop, whose lateness is measured by it. */
export async function processMetrics(): Promise<Samples> {
  const asked = performance.now();
  await new Promise((resolve) => setImmediate(resolve));
  const lag = performance.now() - asked;
  const samples = new Samples();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  samples.set('process_start_time_seconds', performance.timeOrigin / 1000);
  samples.set('process_cpu_seconds_total', (user + system) / 1e6);
  samples.set('process_resident_memory_bytes', rss);
  samples.set('nodejs_heap_size_used_bytes', heapUsed);
  samples.set('nodejs_eventloop_lag_seconds', lag / 1000);
  samples.set('nodejs_eventloop_active_seconds_total', performance.eventLoopUtilization().active / 1000);
  return samples;
}
