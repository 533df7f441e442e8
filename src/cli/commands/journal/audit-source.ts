import type { JournalError, StoppedAudit } from '../../../bridge/audit.ts';
import { CliError } from '../../cli-error.ts';
import { readConfig } from '../../config/config.ts';
import { configFile } from '../../paths.ts';

/**
 * Asks the bridge that runs; without one, reads what it left.
 * @throws CliError in words, `not_running` when there is neither
 */
export async function bridgeOr<T>(
  state: string,
  ask: () => Promise<T>,
  read: (journal: StoppedAudit) => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    return afterBridge(state, error, read);
  }
}

/**
 * Reads what a bridge left.
 * @param error of the bridge that was asked first
 * @throws CliError in words; `error` itself when it is about something else, or there is nothing to read
 */
export async function afterBridge<T>(
  state: string,
  error: unknown,
  read: (journal: StoppedAudit) => Promise<T>,
): Promise<T> {
  if (!(error instanceof CliError) || error.code !== 'not_running') throw error;
  const found = await stopped(state, read);
  if (found === undefined) throw error;
  return found.result;
}

async function stopped<T>(
  state: string,
  read: (journal: StoppedAudit) => Promise<T>,
): Promise<{ result: T } | undefined> {
  const { JournalError, OperatorError, stoppedAudit } = await import('../../../bridge/audit.ts');
  const { keyCommand } = readConfig(configFile(process.env), process.env, {}).audit;
  try {
    const journal = stoppedAudit(state, keyCommand);
    return journal && { result: await read(journal) };
  } catch (error) {
    if (error instanceof OperatorError) {
      const exit = error.code === 'no_such_session' ? 'not_found' : 'usage';
      throw new CliError(exit, error.code, error.message, error.suggestion);
    }
    throw error instanceof JournalError ? inWords(error) : error;
  }
}

/** What the journal or its archive refuses. */
export const inWords = ({ code, message, suggestion }: JournalError): CliError =>
  new CliError('failure', code, sentence(message), sentence(suggestion));

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
