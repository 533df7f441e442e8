import type { Rule } from './history/check.ts';
import type { Scene } from './play/scene.ts';

/** One kind of fault. */
export interface Row {
  name: string;
  /** What is done to it, and when. */
  does: string;
  /** What has to hold besides what the checker looks at in every row. */
  holds: string;
  /** How often in `npm test`; absent: only in the long form. */
  short?: number;
  /** How messages reach Claude; absent: as the seed says. */
  delivery?: 'terminal' | 'channel';
  /** Strikes `scene.kills` times, calling `scene.struck` for each. */
  play(scene: Scene): Promise<void>;
}

export interface Outcome {
  row: string;
  seed: number;
  kills: number;
  checks: number;
  violations: { rule: Rule; words: string }[];
  seconds: number;
  /** Where history, journal and transcripts of a run with violations were put. */
  kept?: string;
}
