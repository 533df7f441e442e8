// The vault as an MCP client meets it.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { Envelope } from '../../../src/protocol/envelope.ts';
import { vaultServer } from '../../../src/vault/serve/vault-server.ts';
import { smallVault } from '../support/small-vault.ts';
import { tempVault } from '../temp-vault.ts';

async function served(
  releases: boolean,
  files: Record<string, string> = { 'House.md': '# House\n\nThe rent is due.\n' },
) {
  const { vault, dir } = smallVault(tempVault(files));
  const faults: unknown[] = [];
  const server = vaultServer(vault, { releases, failed: (error) => faults.push(error) });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(ours);
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const {
      structuredContent,
      content,
      isError = false,
    } = await client.callTool({ name: `obsidian_rag_${name}`, arguments: args });
    const [{ text = '' } = {}] = content as { text?: string }[];
    return { structuredContent, text, isError };
  };
  return { vault, dir, client, call, faults };
}

test('its tools have the names of the seed, and the one that gives secrets away is not for everybody', async () => {
  const names = async (releases: boolean) =>
    (await (await served(releases)).client.listTools()).tools.map(({ name }) => name);
  const all = [
    'obsidian_rag_search',
    'obsidian_rag_status',
    'obsidian_rag_index',
    'obsidian_rag_memory_store',
  ];
  expect(await names(false)).toEqual(all);
  expect(await names(true)).toEqual([...all, 'obsidian_rag_release']);
});

test('an answer is the envelope, as structure and as the same JSON in the text', async () => {
  const { vault, call } = await served(false);
  const none = await call('search', { query: 'rent' });
  expect(none.isError).toBe(true);
  expect(Envelope.parse(JSON.parse(none.text)).error?.code).toBe('INDEX_NOT_FOUND');
  await vault.build();
  const { structuredContent, text, isError } = await call('search', { query: 'rent' });
  expect(isError).toBe(false);
  expect(JSON.parse(text)).toEqual(structuredContent);
  expect(Envelope.parse(structuredContent)).toMatchObject({
    status: 'healthy',
    data: { results: [{ file: 'House.md' }] },
  });
  expect((await call('status')).structuredContent).toMatchObject({ data: { notes: 1, index: 'ready' } });
  expect((await call('index')).structuredContent).toMatchObject({ data: { job: { state: 'done' } } });
});

test.each([
  ['no words', { query: '' }],
  ['far too many', { query: 'x'.repeat(1_001) }],
  ['more results than there may be', { query: 'a', limit: 21 }],
])('%s are refused before anything is done', async (_, args) => {
  const { call } = await served(false);
  expect((await call('search', args)).isError).toBe(true);
});

test('a ping is answered with how the vault is', async () => {
  const { vault, client } = await served(false);
  const pong = EmptyResultSchema.extend({ _meta: z.looseObject({}) });
  const health = async () => (await client.request({ method: 'ping' }, pong))._meta['synthesis/health'];
  expect(await health()).toEqual({ status: 'healthy', reason: '' });
  await vault.build();
  vault.close();
  expect(await health()).toEqual({ status: 'healthy', reason: '' });
});

test('a fault that has no words for agents is told without its own', async () => {
  const { dir, call, faults } = await served(false);
  symlinkSync('/etc/hostname', join(dir, 'current'));
  const { text, isError } = await call('status');
  expect(isError).toBe(true);
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'TOOL_FAILED' } });
  expect(text).not.toContain(dir);
  expect(faults).toMatchObject([{ code: 'state_dir_unsafe' }]);
});
