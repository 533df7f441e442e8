import type { Scene } from './scenes.ts';

/** From the beginning of one round to that of the next, ms. */
export const roundMs = 75_000;
/** Then the afternoon is over: who has looked on for that long need not be shown it once more. */
export const rounds = 6;

/** When what happens. */
export interface Cue {
  /** From the beginning of the afternoon, ms. */
  at: number;
  scene: Scene;
}

/** All of the afternoon, in its order. */
export const cuesOf = (scenes: readonly Scene[]): Cue[] =>
  Array.from({ length: rounds }, (_, round) =>
    scenes.map((scene) => ({ at: round * roundMs + scene.at, scene })),
  ).flat();
