/** What a call takes of the processor, seconds: of several, the least, as others take from a call and none gives to it. */
export function cost(run: () => unknown, times = 3): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1e6);
  }
  return least;
}

/**
 * How many times as much ten times the text takes: 10 if the work is linear, 100 if it is not. What takes less than 10 ms
 * counts as 10: below that, compiling and collecting garbage decide.
 *
 * @param size of the longer text, UTF-16 code units
 */
export function slope(run: (text: string) => unknown, piece: string, size = 1_000_000): number {
  const [short, long] = [size / 10, size].map((each) => piece.repeat(Math.ceil(each / piece.length)));
  run(short ?? '');
  // The short one first: what is compiled on its way is compiled for the long one as well.
  const least = Math.max(
    0.01,
    cost(() => run(short ?? '')),
  );
  return cost(() => run(long ?? '')) / least;
}
