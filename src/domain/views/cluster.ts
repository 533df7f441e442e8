// What operators are shown of the other machines. Types only.

export interface NodeRow {
  node: string;
  /**
   * `draining`: it gives its conversations to others. `away`: nothing was heard of it for some seconds. `stopped`: it went
   * in order.
   */
  state: 'here' | 'alive' | 'draining' | 'away' | 'stopped';
  /** Of synthesis. */
  version: string;
  started_at: string;
  sessions: number;
  live: number;
  /** Memory that is free, MB. */
  free_mb: number;
}

/** A nats-server on which lies what nodes keep for each other. */
export interface ServerRow {
  /** Its name among them. */
  server: string;
  /** It has all of it. */
  current: boolean;
}

/** What `synthesis cluster drain` did. Its stable `--json` shape. */
export interface Drained {
  moved: { session: string; node: string }[];
  /** Why each of these is still here, in words. */
  left: { session: string; words: string }[];
}

/** The stable `--json` shape of `synthesis cluster status`, with `servers` besides. */
export interface ClusterView {
  name: string;
  /** This one. */
  node: string;
  state: 'connecting' | 'connected' | 'lost';
  /** The server that this node is connected to. */
  server: string | null;
  /** Why it is not connected, or has no part in the cluster, or none yet, in words: `nodes` may be out of date then. */
  reason: string | null;
  /**
   * Conversations of this node that another one goes on with, and after how long without a sign of life, s; null when
   * there are to be none.
   */
  takeover: { conversations: number; after_s: number } | null;
  /** By name. As they were when they could last be read. */
  nodes: NodeRow[];
}

/** What the control socket offers of it: a part of `ControlMethods`. */
export interface ClusterMethods {
  /** The machines of the cluster; null when none is configured. */
  'cluster.status': { params: Record<string, never>; result: ClusterView | null };
  /** Asks the nats-servers; null when no cluster is configured, or they do not say. */
  'cluster.servers': { params: Record<string, never>; result: ServerRow[] | null };
  /** A conversation that lives here goes to another node once it is idle; `timeout` when that took longer than `timeout_ms`. */
  'cluster.move': {
    params: { session: string; node: string; timeout_ms?: number };
    /** Its key. */
    result: { session: string; node: string };
  };
  /** Every conversation goes to other nodes, and none is begun here until the bridge is started again. */
  'cluster.drain': { params: { timeout_ms?: number }; result: Drained };
  /** A node that is gone for good has no home any more: what lived there begins anew. `node_alive` when it is there. */
  'cluster.forget': { params: { node: string }; result: { node: string; conversations: number } };
  /** From the answer on, this connection is one to the bridge on that node. `no_such_node`, `node_away`. */
  'cluster.dial': { params: { node: string }; result: Record<string, never> };
}
