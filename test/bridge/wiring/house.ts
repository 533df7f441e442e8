// Of a bridge all that keeps, folds and forgets, on a real journal.
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { ClaudeIds } from '../../../src/bridge/app/claude-ids.ts';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { type OpenedJournal, openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { Retention } from '../../../src/bridge/wiring/journal/retention.ts';
import type { JournalRow } from '../../../src/protocol/events/events.ts';

const launch = { cwd: '/', permissionMode: 'default', delivery: 'auto' } as const;

export class House {
  readonly dir: string;
  readonly opened: OpenedJournal;
  readonly codes = new Codes();
  readonly claudeIds = new ClaudeIds();
  readonly dispatcher: Dispatcher;
  readonly retention: Retention;
  /** Rows that it began with. */
  folded = 0;
  #n = 0;

  /** @param rows what the journal may hold before it is compacted */
  constructor(dir: string, rows = 100_000) {
    this.dir = dir;
    this.opened = openJournal({ dir });
    const { journal } = this.opened;
    this.dispatcher = new Dispatcher({
      journal,
      limits: { queued: 9 },
      log: silentLog,
      perform: () => {},
      unwatched: (key) => this.retention.unwatched(key),
      failed: (error) => {
        throw error;
      },
    });
    this.retention = new Retention({
      config: { journal: { keepDays: 90, rows } },
      opened: this.opened,
      dispatcher: this.dispatcher,
      codes: this.codes,
      claudeIds: this.claudeIds,
      panic: { recorded: undefined },
      secret: { recorded: null },
      log: silentLog,
      stateDir: dirname(this.opened.archive),
    });
    onTestFinished(() => this.close());
    const observe = (row: JournalRow) => {
      this.codes.observe(row);
      this.claudeIds.observe(row);
    };
    this.dispatcher.load((row) => {
      observe(row);
      this.retention.load(row);
      this.folded += 1;
    }, this.opened.base);
    journal.subscribe((row) => {
      observe(row);
      this.retention.observe(row);
    });
  }

  start(): this {
    this.retention.start();
    return this;
  }

  async close(): Promise<void> {
    await this.retention.close();
    await this.opened.journal.close();
  }

  /** The next bridge, which has been started. */
  async again(rows?: number): Promise<House> {
    await this.close();
    return new House(this.dir, rows).start();
  }

  /** One turn, with a question. */
  say(key: string, text: string): string {
    this.#n += 1;
    const turn = `turn-${this.opened.journal.last}-${this.#n}`;
    const { dispatcher } = this;
    const about = { claude: `claude-of-${turn}`, launch, ingress: 'openai', text } as const;
    dispatcher.dispatch(key, { type: 'turn.submit', turn, ...about });
    dispatcher.dispatch(key, { type: 'agent.starting' });
    dispatcher.dispatch(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
    dispatcher.dispatch(key, { type: 'prompt.taken', turn, prompt: turn });
    const code = this.codes.claim();
    const question = { code, tool: 'Bash', input: { command: text }, expires_at: 1e15 };
    dispatcher.dispatch(key, { type: 'permission.ask', ...question });
    dispatcher.dispatch(key, { type: 'turn.rest', prompt: turn, last: `you said: ${text}` });
    dispatcher.dispatch(key, { type: 'turn.stopped' });
    return code;
  }

  exit(key: string): void {
    this.dispatcher.dispatch(key, { type: 'agent.exited', detail: 'ended' });
  }

  remove(key: string, keep = false): void {
    this.dispatcher.dispatch(key, { type: 'session.remove', keep });
  }

  /** @returns what is there, of any session */
  texts(): string {
    return JSON.stringify([...this.opened.journal.read(0)]);
  }

  get state(): unknown {
    return { sessions: this.dispatcher.sessionsEver(), codes: new Set(this.codes.used()) };
  }
}
