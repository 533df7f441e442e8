// How the program that makes vectors ends: what it has kept is not made twice, and it stays for nobody.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { VaultSettings } from '../../../src/protocol/settings/vault.ts';
import { extraFolder } from '../../../src/vault/extras/extra.ts';
import type { MeaningNews, MeaningOrder } from '../../../src/vault/meaning/messages.ts';
import { smallModel } from '../embed/small-model.ts';
import { SmallOllama } from '../embed/small-ollama.ts';
import { find, meaning, smallVault } from '../support/small-vault.ts';
import { tempVault } from '../temp-vault.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Each a note of its own part, and with letters of its own. */
const many = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [
    `${at}.md`,
    `# ${at}\n\n${(letters[at % 26] ?? '').repeat(1 + (at % 9))} ${letters[Math.floor(at / 26)]} ${at}\n`,
  ]),
);
/** Vectors that were made and are not on the disk yet, at most: those of one write and of the batch behind it. */
const mostLost = 64 + 8;

test('killed ten times, it goes on where it was', async () => {
  const server = await SmallOllama.start();
  const root = tempVault(many);
  const settings = { embeddings: 'ollama', ollama: { url: server.url, model: 'small' } } as const;
  const { vault, dir, stateDir } = smallVault(root, settings);
  await vault.build();
  const order = {
    ...{ settings: VaultSettings.parse({ path: root, ...settings }), stateDir, dir, stays: true },
    vectors: `${dir}/vectors`,
  };
  let before = 0;
  for (let kill = 1; kill <= 10; kill += 1) {
    const { begun, reached } = await killedAfter(order, 8 * (1 + (kill % 12)));
    expect(begun).toBeGreaterThanOrEqual(before - mostLost);
    before = reached;
  }
  await vault.followed();
  expect(await vault.status()).toMatchObject({
    data: { embeddings: { state: 'ready', done: 400, total: 400 } },
  });
  const asked = server.asked.flatMap(({ input }) => input).length;
  expect(asked).toBeLessThan(400 + 11 * mostLost);
  expect((await find(vault, '7')).results[0]?.file).toBe('7.md');
});

test('a model that hangs does not keep it when nobody is there any more', async () => {
  const root = tempVault({ 'a.md': '# A\n\nwords\n' });
  const { vault, dir, stateDir } = smallVault(root);
  await vault.build();
  smallModel(
    '() => new Promise(() => setInterval(() => {}, 1_000))',
    extraFolder(stateDir, 'sentence-encoder'),
  );
  const settings = VaultSettings.parse({ path: root, embeddings: 'builtin' });
  const order: MeaningOrder = { settings, stateDir, dir, vectors: `${dir}/vectors`, stays: true };
  const child = fork(meaning, [JSON.stringify(order)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  child.send({ type: 'follow', id: 1 });
  const [begun] = await once(child, 'message');
  expect(begun).toMatchObject({ type: 'progress', progress: { done: 0, total: 1 } });
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([1, null]);
});

/** @param more vectors than there were when it began @returns how many there were, and when it was killed */
async function killedAfter(order: MeaningOrder, more: number): Promise<{ begun: number; reached: number }> {
  const child = fork(meaning, [JSON.stringify(order)]);
  child.send({ type: 'follow', id: 1 });
  let begun: number | undefined;
  for (;;) {
    const [news] = (await once(child, 'message')) as [MeaningNews];
    const progress = news.type === 'progress' ? news.progress : undefined;
    begun ??= progress?.done ?? 0;
    const reached = progress?.done ?? begun;
    if (progress && reached < begun + more) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
    return { begun, reached };
  }
}
