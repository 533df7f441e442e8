// token: what opens the bridge's port, and who may do how much with it.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationMs } from '../../base/time/duration.ts';
import { isTokenScope, type TokenScope, tokenScopes } from '../../protocol/tokens.ts';
import { nearest } from '../nearest.ts';
import { type CommandTable, exitWith, stateOf, withExamples, withJson, withState } from './parts.ts';

export const tokenCommands: CommandTable = { token: addToken };

const withBasics = (command: Command): Command => withJson(withState(command));

function addToken(root: Command): void {
  const parent = root
    .command('token')
    .description("tokens for the bridge's port: make, list, rotate and revoke them, without a restart")
    .helpCommand(false);
  withExamples(parent, [
    ['synthesis token new --scope chat --name codex', 'for one client'],
    ['synthesis token list', 'what each opens, and when it was used last'],
    ['synthesis token revoke codex', 'it is refused from its next request on'],
    ['synthesis token rotate', "a new one for the bridge's own file"],
  ]);
  addNew(parent);
  addList(parent);
  addRevoke(parent);
  addRotate(parent);
}

function addNew(parent: Command): void {
  const command = withBasics(parent.command('new'))
    .description('make a token and print its secret, which is shown this once and kept nowhere')
    .addOption(
      new Option('--scope <scope>', 'what it opens; repeatable')
        .choices(tokenScopes)
        .argParser(scopes)
        .makeOptionMandatory(),
    )
    .option(
      '--session <pattern>',
      'only for this conversation, by its key; with * at the end, for all that begin so',
      session,
    )
    .option('--expires <time>', 'it holds for this long, e.g. 12h, 30d (default: until revoked)', lifetime)
    .option('--name <text>', 'what you call it', name);
  withExamples(command, [
    ['synthesis token new --scope chat --name codex', 'a client of its own'],
    ["synthesis token new --scope chat --session 'team:*' --expires 30d", 'some conversations, for a month'],
    ['(umask 077; synthesis token new --scope metrics > prometheus.token)', 'cannot talk to Claude'],
  ]).action((options) =>
    exitWith(
      import('../commands/token/new.ts').then(({ tokenNew }) =>
        tokenNew({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}

function addList(parent: Command): void {
  const command = withBasics(parent.command('list').alias('ls')).description(
    'list the tokens: what each opens, until when, and when it was used last',
  );
  withExamples(command, [
    ['synthesis token list', 'no secret is in it'],
    ["synthesis token list --json | jq -r '.[] | select(.expired) | .id'", 'those that have expired'],
  ]).action((options) =>
    exitWith(
      import('../commands/token/list.ts').then(({ tokenList }) =>
        tokenList({ ...options, state: stateOf(options) }),
      ),
    ),
  );
}

function addRevoke(parent: Command): void {
  const command = withBasics(parent.command('revoke').alias('rm'))
    .description('take tokens away; a running bridge refuses them from their next request on')
    .argument('<token...>', 'id, or name (see `synthesis token list`)');
  withExamples(command, [['synthesis token revoke codex', 'an answer that is being sent still ends']]).action(
    (tokens, options) =>
      exitWith(
        import('../commands/token/revoke.ts').then(({ tokenRevoke }) =>
          tokenRevoke({ ...options, tokens, state: stateOf(options) }),
        ),
      ),
  );
}

function addRotate(parent: Command): void {
  const command = withBasics(parent.command('rotate'))
    .description("give a token a new secret, and refuse the old one; without a name: the bridge's own")
    .argument('[token]', 'id, or name (see `synthesis token list`)');
  withExamples(command, [
    ['synthesis token rotate', 'writes the file that `up` names; OpenClaw reads it anew when told'],
    ['synthesis token rotate codex', 'prints the new secret'],
  ]).action((token, options) =>
    exitWith(
      import('../commands/token/rotate.ts').then(({ tokenRotate }) =>
        tokenRotate({ ...options, ...(token !== undefined && { token }), state: stateOf(options) }),
      ),
    ),
  );
}

/** Also several of them with commas between. */
function scopes(text: string, before: readonly TokenScope[] = []): TokenScope[] {
  const given = text.split(',').map((each) => each.trim());
  for (const each of given) {
    if (isTokenScope(each)) continue;
    const near = nearest(each, tokenScopes);
    throw new InvalidArgumentError(
      `It is one of ${tokenScopes.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    );
  }
  return [...new Set([...before, ...given.filter(isTokenScope)])];
}

/** Ten years: what is meant to hold longer does not expire. */
const longest = 3_650 * 86_400_000;

function lifetime(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined || ms < 1_000 || ms > longest)
    throw new InvalidArgumentError('It is a time with its unit, such as 12h, 30d or 1d12h, up to 3650d.');
  return Math.round(ms);
}

/** What a terminal, a log or a header could not carry. */
const isPlain = (text: string): boolean => text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/** No key of a conversation is longer. */
const longestKey = 256;

function session(text: string): string {
  if (text.trim() !== '' && text.length <= longestKey && isPlain(text)) return text;
  throw new InvalidArgumentError(
    `It is the key of a conversation (see \`synthesis ps --json\`), up to ${longestKey} characters.`,
  );
}

const longestName = 80;

function name(text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '' && trimmed.length <= longestName && isPlain(trimmed)) return trimmed;
  throw new InvalidArgumentError(`It has 1 to ${longestName} characters on one line.`);
}
