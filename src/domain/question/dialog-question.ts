// A dialog that Claude Code draws in its terminal and that no hook told, as a question: what stands there, and what can be
// chosen. It is answered with the number of an option and nothing else, or with a no, which is Esc.
import { fold } from './fold.ts';

/** In the place of a tool's name. No tool can be called so: Claude's have no blanks. */
export const dialogTool = 'Claude Code dialog';

export interface DialogInput {
  /** Names the dialog by its words and options. */
  dialog: string;
  /** Everything in it but its options. */
  words: string;
  /** In order, each in one line; empty where none can be chosen from outside, but for Esc. */
  options: readonly string[];
  /** What Enter would take in the terminal, from 1. */
  preselected?: number;
  /** What became of an answer before, in words of ours. */
  note?: string;
}

/** @param call a lent tool may have any name */
export const isDialog = ({ tool, call }: { tool: string; call?: string | undefined }): boolean =>
  tool === dialogTool && call === undefined;

/** @returns undefined for what is none */
export function dialogOf({ tool, input }: { tool: string; input: unknown }): DialogInput | undefined {
  if (tool !== dialogTool || typeof input !== 'object' || input === null) return undefined;
  const { words, options } = input as Partial<DialogInput>;
  return typeof words === 'string' && Array.isArray(options) ? (input as DialogInput) : undefined;
}

/** What a person reads of it, behind the words of ours. */
export function dialogText({ words, options, preselected }: DialogInput): string {
  const drawn = options.map((label, at) => `${at + 1}. ${label}${at + 1 === preselected ? preset : ''}`);
  return [words, ...(drawn.length === 0 ? [] : ['', ...drawn])].join('\n').trim();
}

const preset = ' (preselected)';

/** A keycap is a digit, two marks behind it. */
const keycap = /\ufe0f?\u20e3/g;

/** The option that an answer names by its number. @returns undefined for anything else, however much it says */
export function chosenOption(
  { options }: DialogInput,
  said: string,
): { number: number; words: string } | undefined {
  const [, digits] = /^(\d{1,3})\.?$/.exec(fold(said).replace(keycap, '').trim()) ?? [];
  const number = Number(digits);
  const label = digits === undefined ? undefined : options[number - 1];
  return label === undefined ? undefined : { number, words: `${number}. ${label}` };
}

/** The number in what {@link chosenOption} made of an answer, from 1. */
export const numberIn = (words: string): number => Number(/^\d+/.exec(words)?.[0] ?? Number.NaN);
