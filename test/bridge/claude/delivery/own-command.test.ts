import { expect, test } from 'vitest';
import { enterCommand } from '../../../../src/bridge/claude/delivery/own-command.ts';
import { backspace, LateBox } from '../process/late-box.ts';
import { submitKey } from '../usual-keys.ts';

/** What is typed is drawn at once. */
function drawing(): LateBox {
  const box = new LateBox();
  box.onKey = () => {
    const key = box.typed.at(-1) ?? '';
    box.draw(key.startsWith(backspace) || key === submitKey ? '' : key);
  };
  return box;
}

const enter = (box: LateBox) => enterCommand(box, '/exit', () => false);

test('a command is typed and entered', async () => {
  const box = drawing();
  expect(await box.over(enter(box))).toBe(true);
  expect(box.typed).toEqual(['/exit', submitKey]);
});

test.each<[string, (box: LateBox) => void]>([
  [
    'a turn begins',
    (box) => {
      box.idle = false;
    },
  ],
  ['somebody types on', (box) => box.draw('/exit now')],
])('when %s before it is sent, that key is not pressed', async (_, begin) => {
  const box = drawing();
  const entered = enter(box);
  while (box.typed.length === 0) await Promise.resolve();
  begin(box);
  box.watch.poke();
  expect(await box.over(entered)).toBe(false);
  expect(box.typed).toEqual(['/exit']);
});

test('a command that is read late is waited for: what is typed next would come behind it', async () => {
  const box = new LateBox();
  box.onResize = () => {};
  const entered = enter(box);
  for (let ms = 0; ms < 10_000; ms += 100) {
    await Promise.resolve();
    box.clock.advance(100);
  }
  box.draw('/exit');
  expect(await box.over(entered)).toBe(true);
  expect(box.typed).toEqual(['/exit', submitKey]);
});
