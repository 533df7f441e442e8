// What the session knows of the turns of its Claude Code. The one truth of them is there: nothing is kept here.
import { whose } from '../../../domain/decide/whose.ts';
import {
  findTurn,
  queuedInClaude,
  runningTurn,
  type Session,
  workingAgents,
} from '../../../domain/state/session.ts';
import type { RunningTurn } from '../../../domain/state/turn.ts';

export class Turns {
  readonly #session: () => Session | undefined;

  constructor(session: () => Session | undefined) {
    this.#session = session;
  }

  get running(): RunningTurn | undefined {
    const session = this.#session();
    return session && runningTurn(session);
  }

  /** A turn runs, or rests. */
  get busy(): boolean {
    return this.running !== undefined;
  }

  /** Stop was heard, and more is waited for. */
  get resting(): boolean {
    return this.running?.phase.rested !== undefined;
  }

  /** Claude Code itself said that the turn began; of one by the channel it is only known that it reached its input. */
  get proven(): boolean {
    return this.running?.phase.prompt !== undefined;
  }

  /** Of the turn that runs, as far as they are known. */
  get prompts(): readonly string[] {
    const { earlier = [], prompt } = this.running?.phase ?? {};
    return prompt === undefined ? earlier : [...earlier, prompt];
  }

  /** How many turns are over. */
  get over(): number {
    let over = 0;
    for (const { ended = 0 } of this.#session()?.turns ?? []) if (ended > over) over = ended;
    return over;
  }

  /** Claude Code has a message of ours in its own queue. */
  get queued(): boolean {
    const session = this.#session();
    return session !== undefined && queuedInClaude(session) !== undefined;
  }

  /** A Stop hook of the user's has sent Claude on before. */
  get sentOn(): boolean {
    return this.#session()?.sentOn === true;
  }

  /** Agents that work beside the turn. */
  get agents(): number {
    const session = this.#session();
    return session ? workingAgents(session).length : 0;
  }

  /**
   * Something goes on, or Claude has yet to be told of its end.
   * @param isAtWork nothing speaks against an agent being at work: of one that was stopped by hand nothing may tell
   */
  hasTasks(isAtWork: boolean): boolean {
    const { tasks = [] } = this.#session() ?? {};
    return tasks.some(({ kind, state }) => state !== 'missed' && (kind !== 'agent' || isAtWork));
  }

  /** This session has started the agent. */
  hasStarted(agent: string): boolean {
    const { tasks = [], errands = [] } = this.#session() ?? {};
    return tasks.some(({ id }) => id === agent) || errands.some(({ task }) => task === agent);
  }

  /** Claude certainly has the prompt of `turn`. */
  has(turn: string): boolean {
    const session = this.#session();
    const phase = session && findTurn(session, turn)?.phase;
    if (phase?.name === 'settled') return phase.prompt !== undefined;
    return phase?.name === 'running' || phase?.name === 'joining';
  }

  /** This prompt runs. One of a channel's event may not be known yet. */
  runs(prompt: string | undefined): boolean {
    const session = this.#session();
    return session !== undefined && whose(session, prompt).is === 'running';
  }

  /** Nobody has told of this prompt, nor of a text in Claude Code's own queue that it may be. */
  isNews(prompt: string): boolean {
    const session = this.#session();
    return session?.held.length === 0 && whose(session, prompt).is === 'unknown';
  }
}
