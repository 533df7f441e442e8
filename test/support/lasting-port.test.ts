import { expect, test } from 'vitest';
import { lastingPort } from './lasting-port.ts';

test('no port is given twice, though nobody listens on the first yet', async () => {
  const ports: number[] = [];
  for (let at = 0; at < 200; at += 1) ports.push(await lastingPort());
  expect(new Set(ports).size).toBe(200);
});
