/**
 * What a call takes of the processor, seconds: of several, the least, as others take from a call and none gives to it.
 *
 * @param enough it is not called again once one took less
 */
export function cost(run: () => unknown, times = 3, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times && least >= enough; time += 1) {
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
 * @param limit what is to be shown is that it is less
 * @param size of the longer text, UTF-16 code units
 */
export function slope(
  run: (text: string) => unknown,
  piece: string,
  limit: number,
  size = 1_000_000,
): number {
  const [short, long] = [size / 10, size].map((each) => piece.repeat(Math.ceil(each / piece.length)));
  run(short ?? '');
  // The short one first: what is compiled on its way is compiled for the long one as well.
  const least = Math.max(
    0.01,
    cost(() => run(short ?? '')),
  );
  return cost(() => run(long ?? ''), 3, limit * least) / least;
}
