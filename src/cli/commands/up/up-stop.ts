// How a signal ends the bridge of `up`, and what becomes of its Claude Codes.
import type { Bridge, ClaudeFate } from '../../../bridge/main.ts';
import { claudes, goOnWords } from '../../../domain/views/words/claude-words.ts';
import { exitCodes } from '../../exit-codes.ts';
import { say } from '../../output/out.ts';
import { canAsk, Questions } from '../../questions.ts';

export interface StopOptions {
  /** What the operator has chosen for every signal. */
  onExit: ClaudeFate | undefined;
  /** False where nobody reads questions. */
  asks: boolean;
  say(words: string): void;
  /** The terminal is wanted for a question: what is told from now on waits until the returned function is called. */
  hold(): () => void;
}

/** The first signal drains and stops; a second one quits at once, and Claude Codes go on then as after a crash. */
export function stopOnSignals(bridge: Bridge, options: StopOptions): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return quit(bridge);
    isStopping = true;
    const claude = await fateOf(signal, bridge, options);
    options.say(`Stopping (${signal}); press Ctrl-C again to quit at once.`);
    void bridge.close(`received ${signal}`, claude);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  // A file larger than `ulimit -f` allows is an error of its write (EFBIG). Node ignores this signal, node-pty resets it.
  process.on('SIGXFSZ', () => {});
}

async function fateOf(
  signal: NodeJS.Signals,
  bridge: Bridge,
  { onExit, asks, hold }: StopOptions,
): Promise<ClaudeFate> {
  if (onExit !== undefined) return onExit;
  // A terminal that was closed, or a connection that was lost, says nothing against the work that runs.
  if (signal === 'SIGHUP') return 'keep';
  if (signal !== 'SIGINT' || !asks || bridge.live === 0 || !canAsk()) return 'end';
  const goOn = hold();
  try {
    return await ask(bridge.live);
  } catch {
    return quit(bridge);
  } finally {
    goOn();
  }
}

async function ask(live: number): Promise<ClaudeFate> {
  using questions = new Questions('');
  const [it, runs] = live === 1 ? ['it', 'runs'] : ['them', 'run'];
  say(
    `${claudes(live)} ${runs}: \`keep\` lets ${it} go on for the next \`synthesis up\`, \`end\` ends ${it}.`,
  );
  return (await questions.choice(`What becomes of ${it}?`, ['keep', 'end'], 'keep')) as ClaudeFate;
}

function quit({ live }: Bridge): never {
  if (live > 0) say(goOnWords(live));
  process.exit(exitCodes.interrupted);
}
