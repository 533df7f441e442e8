// token: what opens the bridge's port, and who may do how much with it.
import { type Command, Option } from 'commander';
import { tokenScopes } from '../../protocol/tokens.ts';
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
        .argParser((scope: string, before: string[] = []) => [...before, scope])
        .makeOptionMandatory(),
    )
    .option(
      '--session <pattern>',
      'only for the conversation with this key; * at its end: for all that begin so',
    )
    .option('--expires <time>', 'it holds for this long, e.g. 12h, 30d (default: until revoked)')
    .option('--name <text>', 'what you call it');
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
