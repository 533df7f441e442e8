// `synthesis audit` says what ran, what did not, and what is not known, with the bridge and without.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home, simulatedClaude } from '../support/program.ts';

const codeIn = (text: string) => [...text.matchAll(/`(?:yes|no) ([a-km-z]{5})/g)].at(-1)?.[1] ?? '';

interface Entry {
  kind: string;
  code: string;
  ran: object | null;
  ran_state: string | null;
  ran_evidence: string | null;
}

test('an audit tells ran, did not run and not known apart, and the same without the bridge', async () => {
  await using home = new Home();
  const bridge = await home.up({ args: ['--claude', simulatedClaude, '--delivery', 'terminal'] });
  const asks = async (file: string) =>
    codeIn(await bridge.ask('s', `[[write:${join(home.cwd, file)} hello]]`));
  const audit = async (): Promise<Record<string, Entry>> => {
    const { stdout } = await home.command('audit', '--json');
    const all = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Entry);
    return Object.fromEntries(all.filter(({ kind }) => kind === 'question').map((each) => [each.code, each]));
  };
  const allowed = await asks('allowed');
  await bridge.ask('s', `yes ${allowed}`);
  expect(existsSync(join(home.cwd, 'allowed'))).toBe(true);
  const denied = await asks('denied');
  await bridge.ask('s', `no ${denied}`);
  const open = await asks('open');
  const running = await until('the no to be seen', async () => {
    const entries = await audit();
    return entries[denied]?.ran_state === 'not_run' && entries;
  });
  expect(running[allowed]).toMatchObject({ ran_state: 'ran', ran: { result: 'succeeded' } });
  expect(running[denied]).toMatchObject({
    ran: null,
    ran_evidence: expect.stringContaining('without the tool'),
  });
  expect(running[open]).toMatchObject({ ran_state: 'unknown', ran: null, ran_evidence: null });
  await bridge.end();
  const stopped = await audit();
  for (const code of [allowed, denied, open]) expect(stopped[code]?.ran_state).toBe(running[code]?.ran_state);
  const { stdout } = await home.command('audit');
  expect(stdout.match(/did not run/g)).toHaveLength(1);
  expect(stdout).toContain('no answer is known\n    not known whether it ran');
}, 60_000);
