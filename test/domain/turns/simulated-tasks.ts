import type { History, HistoryWriter } from './history.ts';
import { overtakeMs } from './shuffled.ts';

/** The agents and the commands in the background. */
export class SimulatedTasks {
  readonly agents: History['agents'] = new Map();
  readonly shells = new Set<string>();
  readonly #out: HistoryWriter;
  /** When an agent ended. */
  readonly #ends = new Map<string, number>();

  constructor(out: HistoryWriter) {
    this.#out = out;
  }

  beginAgent(agent_id: string): void {
    this.agents.set(agent_id, 'working');
    this.#out.hook('SubagentStart', { agent_id, agent_type: 'general-purpose' });
  }

  endAgent(id: string, how: 'completed' | 'failed' | 'exited'): void {
    this.agents.set(id, how);
    this.#ends.set(id, this.#out.now);
  }

  agentsThat(state: string): string[] {
    return [...this.agents].filter(([, each]) => each === state).map(([id]) => id);
  }

  /** What a Stop lists. Claude Code takes an agent from it when its SubagentStop is answered. */
  lists() {
    const task = (type: string) => (id: string) => ({ id, type, status: 'running' });
    const isListed = (id: string) =>
      this.agents.get(id) === 'working' || this.#out.next - (this.#ends.get(id) ?? 0) <= overtakeMs;
    const agents = [...this.agents.keys()].filter(isListed).map(task('subagent'));
    return { background_tasks: [...agents, ...[...this.shells].map(task('shell'))], session_crons: [] };
  }
}
