// What was asked, allowed and run, told by the running bridge and by what it left; and the proof that it is whole.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const lines = (text: string) => text.split('\n').filter((line) => line !== '');
const strangeKey = 'ops:\u001b]52;c;eA==\u0007one';

test('an audit tells a question from asking to result, with the bridge and without, and proves its journal', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const sending = home.command('send', '--create', 'ops:one', '[[tool:Bash {"command":"echo hi"}]]');
  let code = '';
  await until('the question', async () => {
    const asks = JSON.parse((await home.command('approvals', '--json')).stdout) as { code: string }[];
    code = asks[0]?.code ?? '';
    return code !== '';
  });
  await home.command('approve', code);
  await sending;
  await home.command('send', '--create', strangeKey, 'hello');
  await home.command('stop', strangeKey);

  const running = await home.command('audit', '--json');
  expect(running.code).toBe(0);
  const entries = lines(running.stdout).map((line) => JSON.parse(line));
  expect(entries.find(({ kind }) => kind === 'question')).toMatchObject({
    session: 'ops:one',
    code,
    tool: 'Bash',
    input: { command: 'echo hi' },
    asked_by: { door: 'operator' },
    answer: { verdict: 'allow', by: 'cli' },
    ran: { result: 'succeeded' },
  });
  const words = await home.command('audit');
  expect(words.stdout).toContain('echo hi');
  expect(words.stdout).toMatch(/allowed once by cli/);
  expect(words.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect((await home.command('audit', '--session', 'ops:one', '--json')).stdout).not.toContain('52;c');
  expect((await home.command('audit', '--since', '2999-01-01')).stdout).toBe('');
  expect((await home.command('audit', '--session', 'nobody')).code).toBe(4);

  const anchor = (await home.command('audit', 'anchor')).stdout.trim();
  expect(anchor).toMatch(/^synthesis-anchor 1 seq=\d+ /);
  const proven = await home.command('audit', 'verify', '--anchor', anchor);
  expect(proven).toMatchObject({ code: 0 });
  expect(proven.stderr).toContain('Proven');
  // As when the command failed that was to bring it.
  const none = await home.command('audit', 'verify', '--anchor', '');
  expect(none).toMatchObject({ code: 1 });
  expect(none.stderr).toContain('NOT proven: an anchor cannot be used');
  expect(none.stderr).toMatch(/Nothing is wrong with the \d+ rows themselves/);
  expect(none.stderr).not.toContain('not as the bridge wrote it');

  await bridge.end();
  const stopped = await home.command('audit', '--json');
  expect(lines(stopped.stdout).slice(0, entries.length)).toEqual(lines(running.stdout));
  expect((await home.command('audit', '--session', 'nobody')).code).toBe(4);
  expect((await home.command('audit', 'verify', '--anchor', anchor, '--json')).code).toBe(0);
  expect(statSync(join(home.state, 'audit.key')).mode & 0o777).toBe(0o600);

  const db = new DatabaseSync(join(home.state, 'journal.db'));
  db.exec(`update event set body = replace(body, 'echo hi', 'echo ho')`);
  db.close();
  const altered = await home.command('audit', 'verify');
  expect(altered.code).toBe(1);
  expect(altered.stderr).toMatch(/First wrong: row \d+ {2}\(\d{4}-.* ops:one\)/);
  await home.up();
  expect((await home.command('audit', 'verify')).code).toBe(7);
});

test('the key may come from a command; one that fails stops the start in words', async () => {
  await using home = new Home();
  const config = (command: readonly string[]) => {
    const folder = join(home.path, '.config/synthesis');
    mkdirSync(folder, { recursive: true });
    const sent = join(home.path, 'anchors');
    const anchorCommand = ['/bin/sh', '-c', `cat >> ${sent}`];
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ audit: { keyCommand: command, anchorCommand } }),
    );
    return sent;
  };
  config(['/bin/sh', '-c', 'exit 3']);
  const failed = await home.run([
    'up',
    '--json',
    '--port',
    '0',
    '--state-dir',
    home.state,
    '--claude',
    'true',
  ]);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain('audit_key');
  expect(failed.stdout).toContain('ended with exit code 3');
  const sent = config(['/bin/echo', 'a-key-that-is-long-enough-for-anyone']);
  const bridge = await home.up();
  await until('the anchor', () => existsSync(sent) && readFileSync(sent, 'utf8').endsWith('\n'));
  await bridge.end();
  expect(existsSync(join(home.state, 'audit.key'))).toBe(false);
  expect((await home.command('audit', 'verify')).code).toBe(0);
  expect(readFileSync(sent, 'utf8')).toMatch(/^synthesis-anchor 1 /);
});
