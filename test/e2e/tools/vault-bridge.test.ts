// The vault of a bridge: which conversation has it, what asks before it runs, and what each door shows of it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Envelope } from '../../../src/protocol/envelope.ts';
import { samples } from '../../secrets/samples.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge } from '../support/program.ts';

const [, secret] = samples[0] as readonly [string, string];

let home: Home;
let notes: string;
beforeEach(() => {
  home = new Home();
  notes = join(home.path, 'notes');
  mkdirSync(notes);
  writeFileSync(
    join(notes, 'House.md'),
    `# House\n\nThe rent is 900 euros.\n\nThe printer has ${secret} in it.\n`,
  );
});
afterEach(() => home[Symbol.asyncDispose]());

const call = (tool: string, args: object = {}) => `[[tool:obsidian_rag_${tool} ${JSON.stringify(args)}]]`;

/** What Claude's tool gave it, out of its answer. */
function envelopeIn(answer: string): Envelope {
  const line = answer.split('\n').find((each) => /obsidian_rag_\w+ (?:answered|failed): /.test(each)) ?? '';
  return Envelope.parse(JSON.parse(line.slice(line.indexOf('{'))));
}

const isWell = async ({ at }: RunningBridge): Promise<boolean> => {
  const { status } = (await (await fetch(`${at.url}/healthz`)).json()) as { status: string };
  return status === 'healthy';
};

async function withVault(more: object = {}): Promise<RunningBridge> {
  home.configure({ vault: { path: notes }, approvers: ['u1'], ...more });
  const bridge = await home.up();
  await until('the index to be made', () => isWell(bridge), 20_000);
  return bridge;
}

test('Claude finds what stands in a note, and nobody is asked; a profile may have none', async () => {
  const bridge = await withVault({ profiles: [{ match: '*guest*', vault: false }] });
  const found = envelopeIn(await bridge.ask('s', call('search', { query: 'how high is the rent' })));
  expect(found.data).toMatchObject({ results: [{ file: 'House.md', line: 1, heading: 'House' }] });
  expect(JSON.stringify(found)).not.toContain(secret);
  expect(await bridge.ask('guest', call('search', { query: 'rent' }))).toContain('No such tool');
  const { stdout } = await home.run(['tools', 'list', '--state-dir', home.state]);
  expect(stdout).toContain('obsidian_rag');
});

test('a memory is written when somebody says yes, and found then', async () => {
  const bridge = await withVault();
  const asked = await bridge.ask('s', call('memory_store', { text: 'The zeppelin lands.', topic: 'Travel' }));
  const code = /approve ([a-z]{5})/.exec(asked)?.[1] ?? '';
  expect((await home.command('approve', code, '--yes')).code).toBe(0);
  await bridge.ask('s', 'and now?');
  expect(readFileSync(join(notes, 'Memories/Travel.md'), 'utf8')).toContain('The zeppelin lands.');
  const found = envelopeIn(await bridge.ask('s', call('search', { query: 'zeppelin' })));
  expect(found.data).toMatchObject({ results: [{ file: 'Memories/Travel.md' }] });
});

test('a secret is released by a yes of its own, once', async () => {
  const bridge = await withVault();
  const found = envelopeIn(await bridge.ask('s', call('search', { query: 'printer' })));
  expect(found).toMatchObject({
    status: 'degraded',
    error: { code: 'SENSITIVE_FILTERED', recoverable: true },
  });
  const { withheld } = found.data as unknown as { withheld: { release: string }[] };
  const release = call('release', { release: withheld[0]?.release });
  const code = /approve ([a-z]{5})/.exec(await bridge.ask('s', release))?.[1] ?? '';
  expect((await home.command('approve', code, '--yes')).code).toBe(0);
  const shown = await bridge.ask('s', 'and now?');
  expect(shown).toContain('The printer has');
  const again = /approve ([a-z]{5})/.exec(await bridge.ask('s', release))?.[1] ?? '';
  expect((await home.command('approve', again, '--yes')).code).toBe(0);
  expect(await bridge.ask('s', 'and now?')).toContain('SENSITIVE_FILTERED');
});

test('`policy test` knows its tools without asking it', async () => {
  home.configure({ vault: { path: notes }, policy: [{ permission: 'write:vault', decision: 'deny' }] });
  const { stdout } = await home.run(['policy', 'test', 's', 'obsidian_rag_memory_store', '{"text":"x"}']);
  expect(stdout).toContain('deny: rule 1');
});
