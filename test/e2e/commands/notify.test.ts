// The bridge calls its operator: by a program that the configuration names, once for each thing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const session = 'ops:one';
const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const linesOf = (file: string): string[] => read(file).split('\n').filter(Boolean);

async function askedCode(home: Home): Promise<string> {
  return until('the question', async () => {
    const [ask] = JSON.parse((await home.command('approvals', '--json')).stdout);
    return ask?.code as string | undefined;
  });
}

test('a question is told once, also when the bridge is killed and comes back, and then the end of a long turn', async () => {
  await using home = new Home();
  const told = join(home.path, 'told');
  const script = `echo "$SYNTHESIS_EVENT $SYNTHESIS_SESSION $SYNTHESIS_CODE $SYNTHESIS_TEXT" >> ${told}`;
  home.configure({ notify: { command: ['sh', '-c', script], longTurnMs: 1 } });
  const first = await home.up();
  await home.command('send', '--create', '--no-wait', session, '[[bash:make deploy]]');
  const code = await askedCode(home);
  await until('the notice', () => linesOf(told).length);
  expect(linesOf(told)).toEqual([`asks ${session} ${code} make deploy`]);
  await first.kill();
  await home.up();
  expect(await askedCode(home)).toBe(code);
  await home.command('deny', code);
  await until('the next one', () => linesOf(told).length === 2);
  expect(linesOf(told)[1]).toMatch(/^done ops:one {2}\[\[bash:make deploy\]\]/);
});

test('a program that fails holds nothing up, and is said once in the log and by doctor', async () => {
  await using home = new Home();
  home.configure({ notify: { command: ['/nowhere/notify-me'] } });
  await home.up();
  for (const name of ['one', 'two']) {
    await home.command('send', '--create', '--no-wait', `ops:${name}`, '[[bash:ls]]');
    await home.command('deny', await askedCode(home));
    await home.command('wait', `ops:${name}`);
  }
  const doctor = await until('what doctor says', async () => {
    const { stdout } = await home.run(['doctor', '--json', '--state-dir', home.state]);
    return stdout.includes('notify.command') && stdout;
  });
  expect(doctor).toContain('/nowhere/notify-me was not found');
  const log = linesOf(join(home.state, 'bridge.log'));
  expect(log.filter((line) => line.includes('a notice did not get through'))).toHaveLength(1);
}, 60_000);
