/** Errors a control method answers with; the JSON-RPC `code` is the number, `data.code` the name. */
export const controlErrors = {
  bad_request: -32602,
  unknown_method: -32601,
  internal: -32603,
  no_such_session: -32001,
  ambiguous: -32002,
  no_such_code: -32003,
  already_answered: -32004,
  not_running: -32005,
  shutting_down: -32006,
  timeout: -32007,
  /** Somebody else holds the lease of Claude's terminal. */
  driven: -32008,
  /** Keys came from somebody who does not hold the lease. */
  not_driving: -32009,
  /** No such call runs on this connection. */
  no_such_call: -32010,
  /** The journal ends before the row the reader asked to go on from: it is another journal, or was repaired. */
  no_such_row: -32011,
  /** Too many calls run on this connection. */
  too_many_calls: -32012,
  start_failed: -32013,
  /** An `allow` without the digest of what would run, or with another one. */
  not_shown: -32014,
  /** Everything is stopped; `bridge.resume` lets it go on. */
  panic: -32015,
  /** The disk is full: nothing new is begun. */
  disk_full: -32016,
  no_such_provider: -32017,
  /** Another session is called like that, or its id or key begins like that. */
  name_in_use: -32018,
  no_such_node: -32019,
  /** The node is known, and nobody answers there. */
  node_away: -32020,
  /** The conversation lives on another node. */
  elsewhere: -32021,
  /** The node is there, and would have to be gone. */
  node_alive: -32022,
  /** Whoever calls may not do this: see decision 0055. */
  not_allowed: -32023,
  /** The call takes a proof of the operator secret (decision 0059); `data.challenge` says what is to be proven. */
  proof_wanted: -32024,
} as const;
export type ControlErrorCode = keyof typeof controlErrors;
