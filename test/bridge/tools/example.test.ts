// The example that people copy, as the bridge runs it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { transportOpener } from '../../../src/bridge/tools/link/open-transport.ts';
import { ToolRegistry } from '../../../src/bridge/tools/registry.ts';
import { Provider } from '../../../src/protocol/provider.ts';
import { until } from '../../support/until.ts';

const server = resolve(import.meta.dirname, '../../../examples/todo-provider/server.mjs');

test('the example lists, adds, refuses, and tells when its file is damaged', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'todo-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'todo.json');
  const registry = new ToolRegistry({
    version: '0.0.0',
    clock: systemClock,
    log: silentLog,
    open: transportOpener(systemClock, process.env),
    healthChanged: () => {},
    toolsChanged: () => {},
  });
  onTestFinished(() => registry.close());
  const permissions = { list: ['read:todo'], add: ['write:todo'] };
  const command = [process.execPath, server];
  await registry.set(
    [Provider.parse({ name: 'todo', command, env: { TODO_FILE: file }, permissions })],
    20_000,
  );
  const call = (tool: string, args = {}) => registry.call('todo', tool, args, new AbortController().signal);

  expect(registry.find('todo_add')?.permissions).toEqual(['write:todo']);
  expect(await call('todo_list')).toMatchObject({ status: 'healthy', data: [] });
  expect(await call('todo_add', { text: 'water the plants' })).toMatchObject({ data: ['water the plants'] });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(['water the plants']);
  expect((await call('todo_add', { text: '' })).error?.code).toBe('INVALID_ARGUMENTS');

  writeFileSync(file, 'damaged');
  expect((await call('todo_list')).error).toMatchObject({
    code: 'LIST_DAMAGED',
    message: 'The list cannot be read.',
  });
  await until('its word on itself', () => registry.views()[0]?.reason === 'its list cannot be read', 10_000);
});
