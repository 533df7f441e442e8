import type { Rule } from '../claude/turn/brain.ts';
import type { Scene } from './scenes.ts';

/** What the simulated Claude is told to answer to the messages of these scenes. */
export const rulesOf = (scenes: readonly Scene[]): Rule[] =>
  scenes.flatMap(({ does }) =>
    'says' in does ? [{ when: does.says.replace(/\W/g, '\\$&'), answer: does.answer }] : [],
  );
