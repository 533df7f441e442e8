// Agents that Claude runs beside its turns, as an operator sees them on the command line.
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

interface Row {
  state: string;
  agents: { title: string | null }[];
}

test('agents at work are listed, their questions name them, and a restart says how many it ended', async () => {
  await using home = new Home();
  await home.up();
  const json = async <T>(command: string) => JSON.parse((await home.command(command, '--json')).stdout) as T;
  const send = await home.command(
    'send',
    '--create',
    'work',
    'go [[agent:tests|[[bash:touch made]]]][[agent:docs|[[hang]]]][[say:both work]]',
  );
  expect(send.stdout).toContain('both work');
  const [asked] = await until('the question', async () => {
    const asks = await json<{ agent: unknown; question: string }[]>('approvals');
    return asks.length > 0 && asks;
  });
  expect(asked).toMatchObject({ agent: { title: 'tests' } });
  expect(asked?.question).toMatch(/^The agent "tests" asks for permission to use Bash:\n/);
  const [row] = await json<Row[]>('ps');
  expect(row?.agents.map(({ title }) => title).sort()).toEqual(['docs', 'tests']);
  const shown = (await home.command('inspect', 'work')).stdout;
  expect(shown).toMatch(/^state +asking, 2 agents at work$/m);
  expect(shown).toMatch(/^agent +docs, for \d+s/m);
  const restart = await home.command('restart', '--yes', 'work');
  expect(restart.stderr).toContain('runs again, on the same conversation. This ended 2 agents at work.');
  expect(await json<Row[]>('ps')).toMatchObject([{ state: 'idle', agents: [] }]);
});
