// Every metric there is, with what it means. docs/reference/metrics.md has the same list, and a test compares them.

export interface Definition {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Label names. Their values are words of a closed list, or names that the configuration gives. */
  labels: readonly string[];
  /** Upper bounds of a histogram, ascending. */
  buckets?: readonly number[];
  /** Somebody else has to tell it: it does not begin at 0. */
  told?: true;
}

const counter = (help: string, ...labels: string[]): Definition => ({ type: 'counter', help, labels });
const gauge = (help: string, ...labels: string[]): Definition => ({ type: 'gauge', help, labels });
const histogram = (help: string, buckets: readonly number[], ...labels: string[]): Definition => ({
  type: 'histogram',
  help,
  labels,
  buckets,
});

/** Seconds. Of what a person waits for: up to the hour after which a silent turn is given up. */
const waits = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
/** Seconds. Of what the disk does. */
const disk = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

export const definitions = {
  // messages and turns
  synthesis_messages_total: counter('Messages taken.', 'ingress'),
  synthesis_messages_withdrawn_total: counter('Messages taken back because the disk was full.'),
  synthesis_turns_adopted_total: counter('Turns that nobody asked for through the bridge.', 'origin'),
  synthesis_turns_total: counter('Turns that ended.', 'ingress', 'outcome'),
  synthesis_turn_failures_total: counter('Turns that ended without an answer.', 'code'),
  synthesis_turn_redeliveries_total: counter('Messages handed over once more.'),
  synthesis_turn_duration_seconds: histogram('From a message to the end of its turn.', waits, 'outcome'),
  synthesis_turn_first_text_seconds: histogram('From a message to the first text of its answer.', waits),
  synthesis_turn_queue_seconds: histogram('From a message to its handing over.', waits),
  synthesis_turn_delivery_seconds: histogram(
    'From the handing over of a message to its turn, a start of Claude Code included.',
    waits,
  ),
  synthesis_queued_messages: gauge('Messages that wait for their turn.'),
  synthesis_queue_oldest_seconds: gauge('How long the oldest of them has waited; 0 without one.'),

  // permission questions
  synthesis_asks_total: counter('Permission questions asked.'),
  synthesis_ask_verdict_seconds: histogram(
    'From a permission question to its answer.',
    waits,
    'verdict',
    'door',
  ),
  synthesis_asks_settled_total: counter('Permission questions that are over.', 'outcome'),
  synthesis_asks_open: gauge('Permission questions that wait for a person.'),
  synthesis_policy_rulings_total: counter('Calls that a rule of the policy decided.', 'verdict'),

  // Claude Code
  synthesis_claude_starts_total: counter('Starts of Claude Code.'),
  synthesis_claude_start_seconds: histogram(
    'From a start of Claude Code to its readiness.',
    waits,
    'delivery',
  ),
  synthesis_claude_dialogs_total: counter('Starts of Claude Code that a dialog stopped.', 'code'),
  synthesis_claude_adopted_total: counter('Claude Codes taken over from a bridge before.'),
  synthesis_claude_exits_total: counter('Ends of Claude Code.', 'reason'),
  synthesis_claude_tools_total: counter('Tools that Claude Code ran, its own and lent ones.', 'outcome'),
  synthesis_cost_usd_total: {
    ...counter('What Claude Code says its work would cost, US dollars.'),
    told: true,
  },
  synthesis_sessions: gauge('Sessions, by what their Claude Code is at.', 'state'),
  synthesis_sessions_delivery: gauge(
    'Sessions with a running Claude Code, by how messages reach it.',
    'delivery',
  ),
  synthesis_sessions_degraded: gauge('Sessions with a reason why something works less well than it should.'),
  synthesis_hosts: gauge('Hosts that run a Claude Code, or wait for one.'),

  // tools of providers and of the hub
  synthesis_tool_calls_total: counter('Calls of lent tools that are over.', 'provider', 'outcome'),
  synthesis_tool_call_seconds: histogram('From a call of a lent tool to its result.', waits, 'provider'),
  synthesis_tool_calls_open: gauge('Calls of lent tools that wait for their result.'),
  synthesis_provider_up: gauge(
    '1 for the status that a provider of tools has, else 0.',
    'provider',
    'status',
  ),

  // the journal and its disk
  synthesis_journal_rows_total: counter('Rows appended to the journal.'),
  synthesis_journal_sync_seconds: histogram('From a row of the journal to its being on disk.', disk),
  synthesis_journal_pending_rows: gauge('Rows that are not on disk yet.'),
  synthesis_journal_rows: gauge('Rows that a start of the bridge reads.'),
  synthesis_journal_bytes: gauge('Of the database, as far as its pages hold something.'),
  synthesis_journal_archive_bytes: gauge('Of the archive.'),
  synthesis_disk_free_bytes: gauge('Free for this user where the state folder lies.'),
  synthesis_disk_state: gauge('1 for the state that the disk is in, else 0.', 'state'),

  // the bridge
  synthesis_build_info: gauge('Always 1; the labels say what runs.', 'version', 'node'),
  synthesis_status: gauge('1 for how the bridge is, else 0.', 'status'),
  synthesis_panic: gauge('1 while everything is stopped.'),
  synthesis_gateway_connected: gauge('Connections to gateways that are up.', 'kind'),
  synthesis_gateways: gauge('Connections to gateways that the configuration names.', 'kind'),

  // the process, under the names that all clients of Prometheus use
  process_start_time_seconds: gauge('When the bridge started, seconds since 1970.'),
  process_cpu_seconds_total: counter('Processor time of the bridge, user and system.'),
  process_resident_memory_bytes: gauge('Memory of the bridge.'),
  nodejs_heap_size_used_bytes: gauge('Of that, what JavaScript holds.'),
  nodejs_eventloop_lag_seconds: gauge('How late the event loop was just now.'),
  nodejs_eventloop_active_seconds_total: counter('How long the event loop was at work.'),
} as const satisfies Record<string, Definition>;

export type MetricName = keyof typeof definitions;

export const definitionOf = (name: MetricName): Definition => definitions[name];
