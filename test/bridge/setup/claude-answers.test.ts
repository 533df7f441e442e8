// Whether Claude Code trusts a folder is asked with every `ps`, by every screen and before every warm start.
import { createHook } from 'node:async_hooks';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isReadyFolder } from '../../../src/bridge/setup/claude-answers.ts';
import { until } from '../../support/until.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'synthesis-answers-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** @param bulk of what else Claude Code keeps there, characters */
function write(trusted: boolean, bulk = 0): void {
  const more = Array.from({ length: bulk / 100 }, () => ({ display: 'x'.repeat(90) }));
  const projects = { [home]: { hasTrustDialogAccepted: trusted }, '/elsewhere': { history: more } };
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, projects }));
}

const isReady = () => isReadyFolder(home, { HOME: home });

/** How often the disk is asked for something meanwhile. */
async function asked(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'FSREQCALLBACK' && count++) }).enable();
  await work();
  hook.disable();
  return count;
}

test('a change is seen at once', async () => {
  expect(await isReady()).toBe(true);
  for (const trusted of [false, true, false]) {
    write(trusted);
    expect(await isReady()).toBe(trusted);
  }
});

test('what has not changed is not read again, and no file more often than somebody asks', async () => {
  write(false);
  const whole = await asked(isReady);
  const known = await asked(isReady);
  expect(known).toBeLessThan(whole);
  expect(await asked(isReady)).toBe(known);
  write(true);
  expect(await asked(isReady)).toBe(whole);
});

test('a file that takes long to read is left alone for a while, and then read', async () => {
  write(false, 6_000_000);
  expect(await isReady()).toBe(false);
  write(true);
  expect(await isReady()).toBe(false);
  await until('a reading', isReady);
});
