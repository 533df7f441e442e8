import { expect, test } from 'vitest';
import { VaultProviders } from '../../../src/bridge/wiring/tools/vault-providers.ts';
import { granted, toolName } from '../../../src/domain/policy/provider-grants.ts';
import { VaultSettings, vaultTools } from '../../../src/protocol/settings/vault.ts';

const notes = VaultSettings.parse({ path: '/notes' });
const work = VaultSettings.parse({ path: '/work', exclude: ['Private/**'] });
const vaults = (choice: ConstructorParameters<typeof VaultProviders>[0]) =>
  new VaultProviders(choice, '/vault/provider.js', '/state');

test('a configuration without a vault has no provider of one', () => {
  expect(vaults({ profiles: [{ match: '*' }] }).all).toEqual([]);
});

test('each vault is started once, with its settings, whoever has it', () => {
  const { all } = vaults({
    vault: notes,
    profiles: [
      { match: 'a', vault: work },
      { match: 'b', vault: { ...notes } },
    ],
  });
  expect(all.map(({ name }) => name)).toEqual(['obsidian_rag', 'obsidian_rag_2']);
  const [, program, order = ''] = all[1]?.command ?? [];
  expect(program).toBe('/vault/provider.js');
  expect(JSON.parse(order)).toEqual({ settings: work, stateDir: '/state', all: [notes, work] });
});

test('a session has the vault of the first profile that fits it, that of all, or none', () => {
  const providers = vaults({
    vault: notes,
    profiles: [{ match: 'work:*', vault: work }, { match: 'guest:*', vault: false }, { match: 'chat:*' }],
  });
  const of = (key: string) =>
    providers.all.map(({ name }) => name).filter((name) => providers.isFor(key, name));
  expect(of('main')).toEqual(['obsidian_rag']);
  expect(of('chat:1')).toEqual(['obsidian_rag']);
  expect(of('work:1')).toEqual(['obsidian_rag_2']);
  expect(of('guest:1')).toEqual([]);
  expect(providers.isFor('guest:1', 'todo')).toBe(true);
});

test('its tools keep their names, read without a question, and ask before they write or give a secret away', () => {
  const [provider] = vaults({ vault: notes, profiles: [] }).all;
  const grants = Object.values(vaultTools).map((tool) => [
    toolName('obsidian_rag_2', tool),
    ...granted(provider?.permissions ?? [], tool),
  ]);
  expect(grants).toEqual([
    ['obsidian_rag_search', 'read:vault'],
    ['obsidian_rag_index', 'read:vault'],
    ['obsidian_rag_status', 'read:vault'],
    ['obsidian_rag_memory_store', 'write:vault'],
    ['obsidian_rag_release', 'net'],
  ]);
});
