import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Verdict } from './history/check.ts';
import { Scene } from './play/scene.ts';
import type { Outcome, Row } from './row.ts';

export interface Run {
  seed: number;
  kills: number;
  /** No new strike begins after so many milliseconds. */
  lateMs: number;
}

/** Also the evidence of a good run, for whoever wants to see what was played. */
const always = process.env.CRASH_KEEP !== undefined;

/** Beside the sources, where git does not look. */
const keep = resolve(import.meta.dirname, '../.crash');

/** Plays one history and checks it. */
export async function runRow(row: Row, { seed, kills, lateMs }: Run): Promise<Outcome> {
  const from = performance.now();
  const delivery = row.delivery ?? (seed % 2 === 0 ? 'terminal' : 'channel');
  await using scene = await Scene.open({ seed, kills, delivery, lateMs });
  let verdict: Verdict;
  try {
    await row.play(scene);
    verdict = await scene.end();
  } catch (error) {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    verdict = { checks: 1, violations: [{ rule: 'claim', words: `it was not played to its end: ${words}` }] };
  }
  const outcome: Outcome = {
    row: row.name,
    seed,
    kills: scene.struckSoFar,
    ...verdict,
    seconds: (performance.now() - from) / 1000,
  };
  return verdict.violations.length === 0 && !always
    ? outcome
    : { ...outcome, kept: keepEvidence(scene, outcome) };
}

function keepEvidence(scene: Scene, outcome: Outcome): string {
  const folder = join(keep, `${outcome.row}-${outcome.seed}`);
  mkdirSync(folder, { recursive: true });
  // Sockets cannot be copied.
  const filter = (path: string) => !path.endsWith('.sock');
  cpSync(scene.house.home.path, folder, { recursive: true, force: true, filter });
  writeFileSync(join(folder, 'violations.json'), JSON.stringify(outcome, null, 2));
  return folder;
}
