// Parts of the core that need nothing but the configuration and each other.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { systemClock } from '../../base/time/clock.ts';
import { endingWords } from '../../domain/words/turn-words.ts';
import type { Config } from '../../protocol/settings/config.ts';
import { Deadlines } from '../app/deadlines.ts';
import type { Codes } from '../app/desks/codes.ts';
import { Guesses } from '../app/desks/guesses.ts';
import { PanicDesk, type PanicDeskOptions } from '../app/desks/panic-desk.ts';
import { VerdictDesk } from '../app/desks/verdict-desk.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { Operator, type OperatorOptions } from '../app/operator/operator.ts';
import { memoryPath } from '../claude/launch/memory-folder.ts';
import { PanicFile } from '../panic-file.ts';
import { approvers, launchOptions, queueMode, sharesMemory } from '../profiles.ts';

export const deadlinesOf = ({ timeouts }: Config, dispatcher: Dispatcher): Deadlines =>
  new Deadlines({
    clock: systemClock,
    cancelMs: 10_000,
    deliverMs: timeouts.startMs * 4,
    turnMs: timeouts.turnMs,
    unattendedMs: 60_000,
    tasksMs: timeouts.unattendedMs,
    dispatch: (key, command) => void dispatcher.dispatch(key, command),
  });

export const panicDesk = (
  stateDir: string,
  log: Log,
  parts: Pick<PanicDeskOptions, 'dispatcher' | 'endAll'>,
): PanicDesk => new PanicDesk({ ...parts, log, store: new PanicFile(stateDir), clock: systemClock });

export const verdictDesk = (
  config: Config,
  dispatcher: Dispatcher,
  codes: Pick<Codes, 'isKnown'>,
): VerdictDesk =>
  new VerdictDesk({
    dispatcher,
    guesses: new Guesses(systemClock),
    codes,
    approversFor: (key) => approvers(config, key),
  });

export const operatorOf = (
  config: Config & { cwd: string },
  stateDir: string,
  parts: Pick<
    OperatorOptions,
    'dispatcher' | 'readers' | 'screen' | 'forgotten' | 'erased' | 'mayTake' | 'staysOf'
  >,
): Operator =>
  new Operator({
    ...parts,
    clock: systemClock,
    startMs: config.timeouts.startMs * 4,
    newClaudeId: randomUUID,
    launchFor: (key) => launchOptions(config, key),
    queueModeFor: (key) => queueMode(config, key),
    memoryOf: (key) => (sharesMemory(config, key) ? null : memoryPath(stateDir, key)),
    words: (turn, key) => endingWords(turn, key, parts.dispatcher.session(key)?.claude),
  });
