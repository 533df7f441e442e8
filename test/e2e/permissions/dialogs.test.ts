// A dialog that no hook tells, through the whole program: the chat and the operator answer it like any question.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeIn } from '../../support/code-in.ts';
import { OperatorSocket } from '../../support/operator-socket.ts';
import { until } from '../../support/until.ts';
import { House } from '../support/house.ts';

const kites = '[[elicit:Which kite shall fly?|Red|Blue|Green]]';
const plain = '[[elicit:Shall the kite fly?]]';
const asked = (house: House) => house.rows('permission.asked');

const operatorOf = (house: House) => OperatorSocket.open(house.state);

// At the same time: most of each is the five seconds after which such a dialog is believed.
test.concurrent('the chat reads it, answers with a number, and the same turn goes on', async () => {
  await using house = await House.open();
  const question = await house.bridge.ask('s', kites);
  expect(question).toContain('Claude Code shows a dialog');
  expect(question).toContain('Which kite shall fly?');
  expect(question).toMatch(/1\. Red \(preselected\)\n2\. Blue\n3\. Green/);
  const code = codeIn(question);

  for (const vague of [`yes ${code}`, `yes ${code} Blue`, `yes ${code} 4`, '3', 'yes'])
    expect(await house.bridge.ask('s', vague), vague).toContain('Nothing was changed');
  expect(house.rows('permission.decided')).toEqual([]);

  expect(await house.bridge.ask('s', `yes ${code} 3`)).toContain('The answer was: Green');
  expect(house.rows('permission.decided')).toMatchObject([
    { code, verdict: 'allow', by: 'chat', reason: '3. Green' },
  ]);
  expect(house.rows('permission.settled')).toMatchObject([{ code, outcome: 'applied' }]);
  expect(house.rows('turn.settled')).toHaveLength(1);
});

test.concurrent('a no of the chat is Esc', async () => {
  await using house = await House.open();
  const code = codeIn(await house.bridge.ask('s', kites));
  expect(await house.bridge.ask('s', `no ${code}`)).toContain('The answer was: cancel');
});

test.concurrent('the operator sees it, and answers it with a number or with Esc', async () => {
  await using house = await House.open();
  const code = codeIn(await house.bridge.ask('s', plain));
  const { stdout } = await house.command('approvals');
  expect(stdout).toContain(code);
  expect(stdout).toContain('2. Decline');

  const vague = await house.command('approve', code);
  expect(vague.code).not.toBe(0);
  expect(vague.stderr).toContain('--answer 1');
  expect((await house.command('approve', code, '--answer', '2')).code).toBe(0);
  const read = await house.bridge.ask('s', 'and?');
  expect(read).toContain('answered with "2. Decline" by the operator');
  expect(read).toContain('The answer was: Decline');

  const other = codeIn(await house.bridge.ask('s', kites));
  expect((await house.command('deny', other)).code).toBe(0);
  expect(await house.bridge.ask('s', 'and now?')).toContain('The answer was: cancel');
});

test.concurrent('what is answered in the terminal is asked no more, and no more is said of it than is known', async () => {
  await using house = await House.open();
  await using operator = await operatorOf(house);
  const code = codeIn(await house.bridge.ask('s', kites));
  await operator.press('s', '❯ Red', '\x1b[B\r');
  await until('the end of the question', () => house.rows('permission.settled').length > 0);
  const read = await house.bridge.ask('s', `yes ${code} 3`);
  expect(read).toContain('it was answered in the terminal or went away');
  expect(read + (await house.bridge.ask('s', 'and?'))).toContain('The answer was: Blue');
  expect(house.rows('permission.decided')).toEqual([]);
});

test.concurrent('an answer to what has just gone away presses nothing', async () => {
  await using house = await House.open();
  await using operator = await operatorOf(house);
  const code = codeIn(await house.bridge.ask('s', `${kites}${plain}`));
  // Another one stands behind it, in which the same keys would mean something else.
  await operator.press('s', '❯ Red', '\r');
  await house.bridge.ask('s', `yes ${code} 2`);
  const asked = await until('the other question', () => house.rows('permission.asked')[1], 20_000);
  expect(asked.input).toMatchObject({ words: expect.stringContaining('Shall the kite fly?') });
  const other = String(asked.code);
  const read = await house.bridge.ask('s', `yes ${other} 1`);
  expect(read).toContain('The answer was: Accept');
  expect(house.said()).toContain('The answer was: Red');
});

test.concurrent('that of an agent is asked of the chat although no turn runs', async () => {
  await using house = await House.open('terminal', { policy: [{ tool: 'Bash', decision: 'allow' }] });
  const landed = join(house.cwd, 'landed');
  // Told to end afterwards: news that come while a kept message is handed over are cut short (decision 0050).
  const flies = `[[bash:until [ -e ${landed} ]; do sleep 0.02; done]][[say:The kite has landed.]]`;
  await house.bridge.ask('s', `[[agent:kites|${plain}${flies}]][[say:started]]`);
  await until('the question', () => asked(house).length > 0, 20_000);
  const read = await house.bridge.ask('s', 'what is 2+2?');
  expect(read).toContain('Shall the kite fly?');
  const code = codeIn(read);
  await house.bridge.ask('s', `yes ${code} 2`);
  await until('the answer', () => house.rows('turn.settled').length === 2, 20_000);
  const elicited = ({ tool, phase }: Record<string, unknown>) => tool === 'Elicit' && phase === 'succeeded';
  expect(house.rows('activity').filter(elicited)).toMatchObject([{ output: '{"chosen":"Decline"}' }]);
  writeFileSync(landed, '');
  await until('its end', () => house.rows('task.ended').some(({ told }) => told), 20_000);
  expect(await house.bridge.ask('s', 'and now?')).toContain('and now?');
  expect(house.said()).toContain('The kite has landed.');
});

test.concurrent('one that gets no answer in time is not answered by anybody', async () => {
  await using house = await House.open('terminal', { timeouts: { permissionMs: 2000 } });
  await using operator = await operatorOf(house);
  const question = await house.bridge.ask('s', kites);
  const code = codeIn(question);
  await until('the end of the question', () => house.rows('permission.settled').length > 0);
  const late = await house.bridge.ask('s', `yes ${code} 2`);
  expect(late).toContain('no key was pressed');
  expect(house.rows('permission.decided')).toEqual([]);
  await until('the end of the turn', () => house.rows('turn.settled').length > 0);
  expect(house.rows('turn.settled')).toMatchObject([{ code: 'untold_question' }]);
  expect(await operator.screen('s')).toContain('❯ Red');
});

test.concurrent('a bridge that starts anew asks it anew, and the answer still counts', async () => {
  await using house = await House.open();
  const code = codeIn(await house.bridge.ask('s', kites));
  await house.killed();
  await until('the new question', () => asked(house).length > 1, 30_000);
  const other = String(asked(house)[1]?.code);
  const late = await house.bridge.ask('s', `yes ${code} 1`);
  expect(late).toContain('the bridge was started anew');
  expect(late + (await house.bridge.ask('s', `yes ${other} 2`))).toContain('The answer was: Blue');
  expect(house.rows('permission.decided')).toMatchObject([{ code: other, reason: '2. Blue' }]);
});
