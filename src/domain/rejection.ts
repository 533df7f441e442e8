/** Why the core refused a command. Refusals change nothing and are not journalled. */
export type Rejection =
  | { code: 'duplicate'; turn: string }
  | { code: 'no_turn' }
  | { code: 'unknown_turn' }
  | { code: 'unknown_call' }
  | { code: 'unknown_code' }
  | { code: 'already_answered'; verdict: 'allow' | 'deny'; by: string; who?: string }
  /** A question that nobody answered: `detail` is what became of it. */
  | { code: 'question_over'; detail: string }
  /** Whoever allows it was not shown what would run. */
  | { code: 'not_shown' }
  /** An answer to a dialog that names none of its options. */
  | { code: 'no_option' }
  /** Only the operator may answer it. */
  | { code: 'operator_only' }
  /** Several have to say yes, and this one cannot be told from the others. */
  | { code: 'not_proven' }
  /** This one said yes before. */
  | { code: 'voted' }
  | { code: 'code_in_use' }
  | { code: 'not_running' }
  | { code: 'running' }
  /** Somebody else types into the terminal. */
  | { code: 'driven'; by: string }
  /** The operator stopped everything, at this time, epoch ms. */
  | { code: 'panic'; since: number }
  /** It is on its way between this machine and another one. */
  | { code: 'moving'; node: string; as: 'leaving' | 'arriving' | 'held' }
  /** The disk is full or failed, so nothing new is begun; nothing happened. */
  | { code: 'not_stored' };
