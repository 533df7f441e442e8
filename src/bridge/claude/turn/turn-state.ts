// What is known of the turn of a Claude Code, and of the message that it writes.

export type Road = 'keys' | 'channel';

export type TurnState =
  | { name: 'idle' }
  /** Keys were sent, or a channel event; UserPromptSubmit has to come. */
  | { name: 'expecting'; turn: string; text: string; road: Road }
  | { name: 'running'; turn?: string; prompt?: string }
  /** Stop was seen, but not the whole last message: its batches travel on other connections (0–4 ms late, measured). */
  | { name: 'closing'; prompt?: string; last: string };

/** What is known of a message; its text is in the session, and may be long. */
export interface Message {
  id: string;
  /** Length of each batch, by its index. */
  lengths: Map<number, number>;
  first?: string;
  final?: string;
}
