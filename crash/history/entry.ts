// What the clients of a run write down themselves, one line each in history.jsonl. The checker believes nobody else.

/** What an operator can command. */
export type Deed = 'approve' | 'deny' | 'stop' | 'rm' | 'interrupt';

export type Fact =
  /** A message goes out, for the first time or again. Its mark is part of its text and of nothing else. */
  | {
      is: 'sent';
      mark: string;
      session: string;
      text: string;
      /** The lines of a whole answer, in order; none where the answer is not known beforehand. */
      expects: readonly string[];
      /** The last message of a session, when nothing breaks any more: it has to be answered by Claude. */
      last: boolean;
    }
  /** Status and headers of a 200 were read: from here on the message may not be lost. */
  | { is: 'accepted'; mark: string }
  | { is: 'refused'; mark: string; status: number; body: string }
  /** The next piece of an answer. */
  | { is: 'read'; mark: string; text: string }
  /** The response came to its end in order; `text` is all of it. */
  | { is: 'ended'; mark: string; text: string }
  /** The connection ended, or was ended, before the response did. */
  | { is: 'broken'; mark: string }
  /** The client has waited too long, and tries no more. */
  | { is: 'gave-up'; mark: string }
  /** A question was read. */
  | { is: 'asked'; mark: string; code: string }
  /** An operator's command goes out, or a verdict in a chat. `n` names it. */
  | { is: 'commanded'; n: number; deed: Deed; door: 'chat' | 'socket'; session: string; code?: string }
  | { is: 'acknowledged'; n: number }
  | { is: 'struck'; what: string }
  /** The journal was damaged, and the start said that rows are gone: some of these messages' were among them. */
  | { is: 'told-gone'; marks: readonly string[] }
  /** Something that one row alone looks at: it held, or not. */
  | { is: 'claim'; what: string; held: boolean; words: string };

/** `wall`: epoch ms, as in the journal's rows. */
export type Entry = Fact & { wall: number };
