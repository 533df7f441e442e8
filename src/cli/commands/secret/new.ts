import { existsSync, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { OperatorSecret } from '../../../protocol/settings/operator-secret.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { print, printJson, say } from '../../output/out.ts';
import { canAsk, Questions } from '../../questions.ts';
import { proveOld, writeSecret } from './write.ts';

export interface SecretNewOptions {
  state: string;
  sshKey?: string[];
  totp: boolean;
  json: boolean;
}

/** Makes or names what decisions are proven with from the next start of the bridge on. */
export async function secretNew({ state, sshKey = [], totp, json }: SecretNewOptions): Promise<number> {
  if (totp === sshKey.length > 0)
    throw new CliError(
      'usage',
      'bad_secret',
      'One of --ssh-key and --totp is wanted. Nothing was changed.',
      'Take `--ssh-key ~/.ssh/id_ed25519_sk.pub` for a key that wants a touch, which holds best.',
    );
  if (totp) return await newApp(state, json);
  const secret: OperatorSecret = { kind: 'ssh-key', keys: sshKey.map(publicKeyIn) };
  await proveOld(state, secret);
  await writeSecret(secret, json);
  if (json) printJson(secret);
  else if (!secret.keys.every((key) => key.startsWith('sk-'))) say(untouched);
  return exitCodes.ok;
}

const untouched =
  'A key without touch also signs for other programs of yours: for all that reach your ssh-agent, or its file where that has no passphrase. `ssh-add -c` has the agent ask each time; a key that wants a touch (`ssh-keygen -t ed25519-sk`) needs no such care.';

/** Reads a `.pub` file; the private one has it beside it. @throws CliError */
function publicKeyIn(path: string): string {
  const file = resolve(path.endsWith('.pub') || !existsSync(`${path}.pub`) ? path : `${path}.pub`);
  const lines = (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n');
  const line = lines.map((each) => each.trim()).find((each) => /^(?:sk-)?(?:ssh|ecdsa)-/.test(each));
  if (line !== undefined) return line;
  throw new CliError(
    'usage',
    'no_key',
    `${file} holds no public key in the form of OpenSSH. Nothing was changed.`,
    'Name a `.pub` file; `ssh-keygen -t ed25519-sk` makes one for a key that wants a touch.',
  );
}

async function newApp(state: string, json: boolean): Promise<number> {
  const { isCodeOf, keepAppKey, newAppKey, appKeyFile } = await import(
    '../../../bridge/operator-secret/app-key.ts'
  );
  const secret: OperatorSecret = { kind: 'totp', file: appKeyFile(resolve(state)) };
  await proveOld(state, secret);
  const { base32, uri } = newAppKey(`${userInfo().username}@${hostname()}`);
  if (!json) {
    say('Give this to your app for codes; it is shown this once. As a link, and as a key to type:');
    print(uri);
    print(base32);
    if (canAsk()) await tried((code) => isCodeOf(base32, code, Date.now()));
  }
  keepAppKey(resolve(state), base32);
  await writeSecret(secret, json);
  if (json) printJson({ ...secret, uri, key: base32 });
  else say(readable);
  return exitCodes.ok;
}

const readable =
  'Programs that run as you can read that file and make codes of their own. Keep Claude from it with `sandbox` or `contain`; a key that wants a touch has no such file.';

/** An app that shows other codes would lock its owner out. @throws CliError when it is left */
async function tried(isRight: (code: string) => boolean): Promise<void> {
  using questions = new Questions('Nothing was changed.');
  for (;;) {
    if (isRight(await questions.line('The code that it shows now: '))) return;
    say('That is another one. Is the clock of both right?');
  }
}
