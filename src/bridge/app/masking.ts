// What is secret must not leave the bridge in a text that no person wrote. Implemented outside, and loaded with the first answer.
import type { Readable } from '../../domain/state/text.ts';

/** A text on its way out, as it grows. */
export interface OutgoingText {
  /** What can go now. @param isEnd nothing follows soon: nothing waits any longer @param limit the text counts up to here */
  take(isEnd: boolean, limit?: number): string;
  /** Words behind it. */
  add(words: string): void;
  /** Something waits. */
  readonly waits: boolean;
  /** How many secrets were replaced. */
  readonly count: number;
  /** What has gone. */
  readonly said: Readable;
}

/** Stretches of a text that a person decides by: there only the bridge's own secrets are replaced. */
export type Exempt = () => readonly (readonly [from: number, to: number])[];

export interface Mask {
  over(source: Readable, exempt?: Exempt): OutgoingText;
  /** A text in one piece, and how many secrets were replaced. */
  whole(text: string): { text: string; count: number };
  /** Without the bridge's own secrets, and with all else. */
  own(text: string): string;
}

export interface Masks {
  /** @param key of the conversation; absent for none */
  of(key?: string): Promise<Mask>;
}
