// How the prompt is drawn: as Claude Code does, or as a release might that nobody knows yet. Pure.
import type { DrawingName } from '../settings/knobs.ts';

export interface Drawing {
  /** Of a prompt in the conversation. */
  mark: string;
  /** What stands left of the typed text in its first row. */
  first: string;
  /** The same of its further rows. */
  more: string;
  /** What stands in the last column. */
  right: string;
  above(columns: number): string[];
  below(columns: number): string[];
  /** The prompt stands above the conversation. */
  atTop: boolean;
  /** What is typed is not shown. */
  isHidden: boolean;
}

const rule = (columns: number) => ['─'.repeat(columns)];
const none = () => [];

const usual: Drawing = {
  mark: '❯',
  first: '❯ ',
  more: '  ',
  right: '',
  above: rule,
  below: rule,
  atTop: false,
  isHidden: false,
};

export const drawings: Record<DrawingName, Drawing> = {
  usual,
  sides: {
    ...usual,
    mark: '>',
    first: '│ > ',
    more: '│   ',
    right: '│',
    above: (columns) => [`╭${'─'.repeat(columns - 2)}╮`],
    below: (columns) => [`╰${'─'.repeat(columns - 2)}╯`],
  },
  bare: { ...usual, mark: '›', first: '› ', above: none, below: none },
  double: {
    ...usual,
    above: (columns) => ['='.repeat(columns)],
    below: (columns) => ['='.repeat(columns)],
  },
  shell: { ...usual, mark: 'you:', first: 'k $ ', more: '', above: none, below: none },
  top: { ...usual, mark: '>>', first: '>> ', more: '   ', atTop: true },
  hidden: { ...usual, first: '» ', isHidden: true },
};
