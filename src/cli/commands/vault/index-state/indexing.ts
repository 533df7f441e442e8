// Brings the index of a vault up to date while somebody waits for it.
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../../base/time/clock.ts';
import type { Envelope } from '../../../../protocol/envelope.ts';
import type { Vault } from '../../../../vault/vault.ts';
import { exitCodes } from '../../../exit-codes.ts';
import { ProgressBar } from '../../../output/live/progress-bar.ts';
import { say } from '../../../output/out.ts';
import type { Choice } from '../setup/choice.ts';
import { OthersWork } from '../setup/others-work.ts';
import { openedToIndex } from './opened.ts';
import { type SkippedNote, skippedIn } from './skipped.ts';

export interface IndexingOptions {
  rebuild: boolean;
  /** Nothing is said meanwhile. */
  quiet: boolean;
}

/** Between two looks at how far it is, milliseconds. */
const tickMs = 200;

/**
 * Ctrl-C ends the program.
 * @returns how the vault is then, with all that was left aside; or why its index is not up to date
 */
export async function indexed(
  state: string,
  choice: Choice,
  { rebuild, quiet }: IndexingOptions,
): Promise<Envelope> {
  using open = await openedToIndex(state, choice);
  const { vault, dir } = open;
  const { walkNotes } = await import('../../../../vault/files/walk.ts');
  const { failureOf, indexerFailure } = await import('../../../../vault/failure.ts');
  let total: number;
  try {
    total = walkNotes(choice.settings.path, choice.settings).notes.size;
  } catch (error) {
    const failure = failureOf(error);
    if (failure) return failure;
    throw error;
  }
  using bar = new ProgressBar(quiet);
  using _ = new Leaving(bar, quiet);
  const others = await OthersWork.of(dir, total, systemClock);
  for (let isFirst = true; ; isFirst = false) {
    await shown(vault.build(rebuild), bar, () => {
      const progress = vault.job && (vault.job.done > 0 ? vault.job : others.progress());
      if (progress) bar.progress(progress.done, progress.total, 'notes');
    });
    const error = vault.job?.error;
    if (error?.reason !== 'busy') {
      if (error) return indexerFailure(error);
      break;
    }
    bar.clear();
    if (isFirst && !quiet) say(`${error.message} Waiting for it …`);
  }
  await shown(vault.followed(), bar, () => {
    if (vault.learned) bar.progress(vault.learned.done, vault.learned.total, 'parts');
  });
  return withSkipped(vault, await vault.status());
}

/** Draws how far it is until the work has ended. */
async function shown(work: Promise<void>, bar: ProgressBar, draw: () => void): Promise<void> {
  let isOver = false;
  const end = work.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([end, delay(bar.isShown ? tickMs : 60_000, undefined, { ref: false })]);
    if (bar.isShown && !isOver) draw();
  }
}

function withSkipped(vault: Vault, envelope: Envelope): Envelope {
  const walked = vault.job?.result?.skipped ?? [];
  const all: SkippedNote[] = [
    ...walked.map(({ path, words }) => ({ file: path, why: words })),
    ...skippedIn(envelope),
  ];
  const skipped = [...new Map(all.map((each) => [`${each.file}\n${each.why}`, each])).values()];
  const { data } = envelope;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return envelope;
  return { ...envelope, data: { ...data, skipped: skipped.map((each) => ({ ...each })) } };
}

/** The first Ctrl-C ends the program at once: the indexer ends with the batch that it is at. */
class Leaving implements Disposable {
  readonly #act: () => void;

  constructor(bar: ProgressBar, quiet: boolean) {
    this.#act = () => {
      bar.clear();
      if (!quiet) say('Stopped. What was indexed is kept: the next time goes on from there.');
      process.exit(exitCodes.interrupted);
    };
    for (const signal of signals) process.once(signal, this.#act);
  }

  [Symbol.dispose](): void {
    for (const signal of signals) process.off(signal, this.#act);
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
