// What Claude Code says it would cost, from its status line to the operator, over ends of everything in between.
import { expect, test } from 'vitest';
import type { CostReport } from '../../../src/domain/views/cost-report.ts';
import { Scraped } from '../../support/prometheus.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const today = () => new Date().toISOString().slice(0, 10);

async function report(home: Home, ...args: string[]): Promise<CostReport> {
  return JSON.parse((await home.command('cost', '--json', ...args)).stdout);
}

/** The status line comes a moment after the turn. */
const costs = (home: Home, usd: number) =>
  until(`costs of $${usd}`, async () => {
    const found = await report(home);
    return found.usd === usd ? found : undefined;
  });

test('costs add up over turns, sessions, a new Claude Code and a killed bridge, and go with the conversation', async () => {
  await using home = new Home();
  const env = { SIM_TURN_USD: '0.25' };
  const bridge = await home.up({ env });
  const day = today();
  await home.command('send', '--create', 'notes', 'one');
  await home.command('send', 'notes', 'two');
  await home.command('send', '--create', 'other', 'one');
  await costs(home, 0.75);
  // Its Claude Code begins at 0, and the next bridge finds it there.
  await home.command('restart', 'notes');
  await home.command('send', 'notes', 'three');
  await costs(home, 1);
  const scraped = new Scraped(`${(await home.command('metrics')).stdout}\n`);
  expect(scraped.value('synthesis_cost_usd_total')).toBe(1);
  await bridge.kill();
  await home.up({ env });
  expect(
    new Scraped(`${(await home.command('metrics')).stdout}\n`).value('synthesis_cost_usd_total'),
  ).toBeUndefined();
  await home.command('send', 'notes', 'four');
  const found = await costs(home, 1.25);
  expect(found.sessions).toMatchObject([
    { key: 'notes', usd: 1 },
    { key: 'other', usd: 0.25 },
  ]);
  // The test may run over midnight.
  expect(found.days.reduce((sum, { usd }) => sum + usd, 0)).toBe(1.25);
  expect(found.days[0]?.day).toBe(day);
  expect((await report(home, 'notes', '--since', '1d')).usd).toBe(1);
  expect((await report(home, '--since', '2999-01-01')).usd).toBe(0);
  expect((await home.command('cost', 'nobody')).code).toBe(4);
  expect((await home.command('cost', '--since', 'soon')).code).toBe(2);

  const shown = await home.command('cost');
  expect(shown.stdout).toMatch(/^ID +COST +KEY\n\w+ +\$1\.00 +notes\n\w+ +\$0\.25 +other\n\nDAY +COST\n/);
  expect(shown.stderr).toContain('$1.25 in all: what Claude Code says it would cost.');
  expect((await home.command('ps', '--cost')).stdout).toMatch(/CTX +COST +TOKENS .*\n.*\$1\.00 +2k /);
  expect((await home.command('ps')).stdout).not.toContain('COST');
  expect((await home.command('inspect', 'notes')).stdout).toMatch(/^cost +\$1\.00 \(.*\$1\.00\)$/m);

  await home.command('rm', 'notes');
  expect((await report(home)).usd).toBe(0.25);
});

test('what Claude Code does not tell is called not told, and is no 0', async () => {
  await using home = new Home();
  await home.up({ env: { SIM_TURN_USD: 'none' } });
  expect((await home.command('cost')).stderr).toContain('No sessions yet');
  await home.command('send', '--create', 'notes', 'one');
  await until('its status', async () => {
    const { stdout } = await home.command('inspect', 'notes', '--json');
    return JSON.parse(stdout).context_tokens === 2000;
  });
  expect(await report(home)).toMatchObject({ usd: null, sessions: [{ usd: null, days: [] }], days: [] });
  const { stdout, stderr } = await home.command('cost');
  expect(stdout).toMatch(/not told +notes/);
  expect(stderr).toContain('Claude Code told nothing of costs.');
  expect((await home.command('inspect', 'notes')).stdout).toMatch(/^cost +not told$/m);
  const metrics = (await home.command('metrics')).stdout;
  expect(metrics).not.toContain('synthesis_cost_usd_total');
});
