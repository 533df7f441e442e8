// What a conversation left in the state folder goes when it is removed: pictures that people sent, and what its Claude
// Code was started with. Not before that Claude Code has ended, which uses them until then.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { lookAtDirectory } from '../../base/own-path.ts';
import type { Session } from '../../domain/session.ts';
import type { JournalRow } from '../../protocol/events.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { sessionDir } from '../claude/session-files.ts';
import { mediaFolder } from '../media-store.ts';

export interface ForgottenFilesOptions {
  dispatcher: Pick<Dispatcher, 'session' | 'sessionsEver' | 'durable'>;
  stateDir: string;
  log: Log;
}

export class ForgottenFiles {
  readonly #options: ForgottenFilesOptions;

  constructor(options: ForgottenFilesOptions) {
    this.#options = options;
  }

  /** What a bridge that was killed did not get to. Call once the journal is loaded. */
  start(): void {
    for (const session of this.#options.dispatcher.sessionsEver()) this.#forget(session);
  }

  /** Give it every row as it comes. */
  observe({ session: key, seq, event }: JournalRow): void {
    if (event.type !== 'session.removed' && event.type !== 'agent.exited') return;
    const { dispatcher } = this.#options;
    // A removal that is not on disk may not have happened at the next start. What fails, the next start does.
    dispatcher.durable(seq).then(
      () => this.#forget(dispatcher.session(key)),
      () => {},
    );
  }

  #forget(session: Session | undefined): void {
    if (!session?.removed || session.agent.name !== 'stopped') return;
    const { stateDir, log } = this.#options;
    for (const dir of [sessionDir(stateDir, session.key), join(stateDir, mediaFolder(session.key))])
      try {
        if (lookAtDirectory(dirname(dir)) && lookAtDirectory(dir))
          rmSync(dir, { recursive: true, force: true });
      } catch (error) {
        log.warn('files of a removed session could not be deleted', { session: session.key, error });
      }
  }
}
