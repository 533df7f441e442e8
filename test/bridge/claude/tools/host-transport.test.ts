import { expect, test } from 'vitest';
import { HostTransport } from '../../../../src/bridge/claude/tools/host-transport.ts';

test('that there are other tools is kept until it is heard, progress is not', async () => {
  const said: [method: string, keep: boolean][] = [];
  const transport = new HostTransport((message, keep) =>
    said.push([(JSON.parse(message) as { method: string }).method, keep]),
  );
  await transport.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  const params = { progressToken: 1, progress: 1 };
  await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params });
  expect(said).toEqual([
    ['notifications/tools/list_changed', true],
    ['notifications/progress', false],
  ]);
});
