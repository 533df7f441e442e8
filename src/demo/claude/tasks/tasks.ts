import { asListed, type Ending, notification, type Task } from './task.ts';

export interface TasksPorts {
  /** The model hears of an end as soon as it can. */
  tell(text: string): void;
  /** Where a task's output would be read. */
  outputFile(id: string): string;
  /** The number of agents that work has changed. */
  onAgents(count: number): void;
}

/** Everything that goes on in the background of a session, oldest first. */
export class Tasks {
  readonly #ports: TasksPorts;
  readonly #closed = new AbortController();
  #running: Task[] = [];
  #left: Task[] = [];

  constructor(ports: TasksPorts) {
    this.#ports = ports;
  }

  /** Aborts when the session ends. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  /** How many agents work. */
  get agents(): number {
    return this.#running.filter(({ type }) => type === 'subagent').length;
  }

  /** As hooks carry it. */
  list(): Record<string, unknown>[] {
    return this.#running.map(asListed);
  }

  outputFile(id: string): string {
    return this.#ports.outputFile(id);
  }

  begin(task: Task): void {
    this.#become([...this.#running, task]);
  }

  /** Begins a task that does nothing and ends some time after the turn. */
  leave(task: Task): void {
    this.begin(task);
    this.#left.push(task);
  }

  /** The turn is over: what it left ends in a while. */
  endLeft(inMs: number): void {
    const left = this.#left.splice(0);
    if (left.length === 0) return;
    setTimeout(() => {
      for (const task of left) this.end(task, { status: 'completed', result: '' });
    }, inMs);
  }

  /** Takes a task off the list and tells its end. Nothing happens when it is not on it. */
  end(task: Task, ending: Ending): void {
    if (this.forget(task) && !this.signal.aborted) this.#ports.tell(notification(task, ending));
  }

  /** Takes a task off the list without a word. @returns false when it was not on it */
  forget(task: Task): boolean {
    const found = this.#running.includes(task);
    if (found) this.#become(this.#running.filter((other) => other !== task));
    return found;
  }

  /** The session ends: what still runs ends unheard. */
  close(): void {
    this.#closed.abort();
  }

  #become(running: Task[]): void {
    this.#running = running;
    this.#ports.onAgents(this.agents);
  }
}
