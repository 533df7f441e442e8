/** Something that Claude Code runs beside its turns. It outlives the turn that began it. */
export interface Task {
  /** Claude Code's own name for it; of an agent that is its `agent_id`. */
  id: string;
  kind: 'agent' | 'shell' | 'call';
  /** What it is for, in Claude's words. */
  title?: string;
  /** The turn that began it. */
  turn?: string;
  /** Number of the hook that told its beginning: a list that is older does not know it. */
  hook: number;
  /** Wall clock, epoch ms. */
  since: number;
  /** `ended`: Claude has not been told yet, and begins a turn when it is. `missed`: nor does Claude Code list it any more. */
  state: 'running' | 'ended' | 'missed';
  /** The tool that an agent uses now. */
  doing?: string;
}
