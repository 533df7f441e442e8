// The token of a script that decides without a person at the terminal. Claude Code never gets these variables: its
// environment is an allow-list.
import { resolve } from 'node:path';
import { tokenSource } from '../../base/files/token-source.ts';
import { CliError } from '../cli-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** As `synthesis token new` prints them. */
const tokenForm = /^syn_[a-z0-9]+_[A-Za-z0-9_-]{43}$/;

/**
 * Returns the secret that `SYNTHESIS_TOKEN` holds, or the file that `SYNTHESIS_TOKEN_FILE` names: one that this user alone
 * can read. An empty variable is none.
 * @returns undefined when neither is set
 * @throws CliError `bad_token`; nothing was sent
 */
export function operatorToken(env: Env): string | undefined {
  const { SYNTHESIS_TOKEN: token, SYNTHESIS_TOKEN_FILE: file } = env;
  if (token && file)
    throw badToken('SYNTHESIS_TOKEN and SYNTHESIS_TOKEN_FILE are both set.', 'Set one of the two.');
  if (file) return checked(fromFile(resolve(file)), `The file ${resolve(file)}`);
  return token ? checked(token.trim(), 'SYNTHESIS_TOKEN') : undefined;
}

function fromFile(path: string): string {
  const read = tokenSource({ tokenFile: path })();
  if (read.ok) return read.token;
  throw badToken(
    `SYNTHESIS_TOKEN_FILE: ${read.words}.`,
    'Name a file of your own that holds the token, mode 0600.',
  );
}

function checked(token: string, where: string): string {
  if (tokenForm.test(token)) return token;
  throw badToken(
    `${where} holds no token as \`synthesis token new\` prints it.`,
    'Make one with `synthesis token new --scope operate`.',
  );
}

const badToken = (message: string, suggestion: string): CliError =>
  new CliError('denied', 'bad_token', `${message} Nothing was sent.`, suggestion);
