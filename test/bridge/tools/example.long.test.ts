// The example that people copy, as the bridge runs it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../support/until.ts';
import { registryHouse } from './registry-house.ts';

const server = resolve(import.meta.dirname, '../../../examples/todo-provider/server.mjs');

test('the example lists, adds, refuses, and tells when its file is damaged', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'todo-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'todo.json');
  const { registry, call } = await registryHouse({
    command: [process.execPath, server],
    env: { TODO_FILE: file },
    permissions: { list: ['read:todo'], add: ['write:todo'] },
  });
  expect(registry.find('peer_add')?.permissions).toEqual(['write:todo']);
  expect(await call('list')).toMatchObject({ status: 'healthy', data: [] });
  expect(await call('add', { text: 'water the plants' })).toMatchObject({ data: ['water the plants'] });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(['water the plants']);
  expect((await call('add', { text: '' })).error?.code).toBe('INVALID_ARGUMENTS');

  writeFileSync(file, 'damaged');
  expect((await call('list')).error).toMatchObject({
    code: 'LIST_DAMAGED',
    message: 'The list cannot be read.',
  });
  await until('its word on itself', () => registry.views()[0]?.reason === 'its list cannot be read', 10_000);
});
