import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { UnreportedEnd } from '../../../../src/bridge/claude/delivery/unreported-end.ts';
import { RunIdentity } from '../../../../src/bridge/claude/run-identity.ts';
import { readEnd } from '../../../../src/bridge/claude/turn/written-end.ts';
import { HookedRun, outcome } from '../hooked-run.ts';

const rule = '─'.repeat(20);

/** One whose transcript a test writes, and whose box is empty. */
class WrittenRun extends HookedRun implements Disposable {
  readonly untold = new UnreportedEnd((...of) => {
    const reading = readEnd(...of);
    this.#readings.push(reading);
    return reading;
  });
  /** What is read is read from a disk, whose time is not that of the clock. */
  readonly #readings: Promise<unknown>[] = [];
  readonly #dir: string;

  constructor() {
    const dir = mkdtempSync(join(tmpdir(), 'unreported-end-'));
    super({
      identity: new RunIdentity({
        claude: 's',
        transcript: join(dir, 's.jsonl'),
        isUsed: () => false,
        lock: () => true,
        located: () => {},
        log: silentLog,
      }),
    });
    this.#dir = dir;
    this.terminal.rows = () => [rule, '❯ ', rule];
    this.terminal.draw('⠂ Claude Code');
    void this.untold.watch(this.run);
  }

  writes(...lines: object[]): void {
    for (const line of lines) appendFileSync(join(this.#dir, 's.jsonl'), `${JSON.stringify(line)}\n`);
  }

  /** Time passes until it is so, at most a minute of it. @returns how long that took, ms */
  async passes(isSo: () => boolean = () => false, most = 60_000): Promise<number> {
    const since = this.clock.now();
    while (!isSo() && this.clock.now() - since < most) {
      this.clock.advance(20);
      await Promise.all(this.#readings.splice(0));
      // The watching is a chain of promises.
      for (let each = 0; each < 10; each += 1) await Promise.resolve();
    }
    return this.clock.now() - since;
  }

  ended = (turn = 't') => this.turn(turn).phase.name === 'settled';

  [Symbol.dispose](): void {
    this.run.leave();
    rmSync(this.#dir, { recursive: true });
  }
}

const prompt = { type: 'user', uuid: 'u1', promptId: 'p', message: { content: 'hi' } };
const says = (text: string, more = {}) => ({
  type: 'assistant',
  uuid: 'a1',
  message: { id: 'm', content: [{ type: 'text', text }] },
  ...more,
});
const duration = { type: 'system', subtype: 'turn_duration', uuid: 'd1' };

let claude: WrittenRun;
beforeEach(() => {
  claude = new WrittenRun();
  claude.working();
  claude.hook('SubagentStart', { agent_id: 'a1', agent_type: 'general-purpose' });
});
afterEach(() => claude[Symbol.dispose]());

test('a turn whose Stop was lost while an agent works is complete within three seconds, with all of its text', async () => {
  claude.say('Here it ', { final: false });
  claude.writes(prompt, says('Here it is.'), duration);
  expect(await claude.passes(() => claude.ended())).toBeLessThan(3000);
  expect(outcome(claude.turn('t'))).toEqual(['completed', 'Here it is.']);
});

test('a Stop that is only late is what ends it', async () => {
  claude.writes(prompt, says('Done.\n'), duration);
  await claude.passes(undefined, 900);
  expect(claude.ended()).toBe(false);
  claude.say('Done.\n');
  claude.stop('Done.');
  await claude.passes(undefined, 5000);
  expect(outcome(claude.turn('t'))).toEqual(['completed', 'Done.\n']);
  expect(claude.reports.filter(({ type }) => type === 'turn.rest')).toHaveLength(1);
});

test('one that goes on, and one that asks, are not over', async () => {
  claude.writes({ ...prompt, promptId: 'before' }, says('Before.'), duration, prompt, says('turn_duration'));
  await claude.passes(undefined, 10_000);
  claude.writes(duration);
  claude.hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm x' } });
  await claude.passes(undefined, 10_000);
  expect(claude.ended()).toBe(false);
});

test('an Esc in the terminal ends it, although a title says that agents work', async () => {
  claude.writes(prompt, says('Half'), { ...prompt, uuid: 'u2', interruptedMessageId: 'm' });
  await claude.passes(() => claude.ended());
  expect(claude.turn('t').phase).toMatchObject({ outcome: 'cancelled', detail: "in Claude's terminal" });
});

test('an error of the API whose hook was lost is told as Claude Code words it', async () => {
  claude.writes(prompt, says('API Error: 400 no such model', { isApiErrorMessage: true }), duration);
  await claude.passes(() => claude.ended());
  const detail = 'API Error: 400 no such model';
  expect(claude.turn('t').phase).toMatchObject({ outcome: 'failed', code: 'provider_error', detail });
});

test('a prompt that a hook refuses while an agent works is told within two seconds, and each time', async () => {
  const refused = (uuid: string) => ({
    type: 'system',
    uuid,
    promptSubmitEnding: { ending: { reason: 'No ladders.' } },
  });
  claude.writes(refused('r1'));
  expect(await claude.passes(() => claude.ended())).toBeLessThan(2000);
  expect(claude.turn('t').phase).toMatchObject({ code: 'prompt_blocked', detail: 'No ladders.' });
  claude.working('t2', 'again', 'p2');
  await claude.passes(undefined, 5000);
  expect(claude.ended('t2')).toBe(false);
  claude.writes(refused('r2'));
  await claude.passes(() => claude.ended('t2'));
  expect(claude.turn('t2').phase).toMatchObject({ code: 'prompt_blocked' });
});

test('while it is found out, nobody else says that the turn is over', async () => {
  claude.hook('SubagentStop', { agent_id: 'a1' });
  await claude.passes(undefined, 100);
  claude.terminal.draw('✳ Claude Code');
  await claude.passes(() => claude.untold.isOn, 1000);
  expect(claude.untold.isOn).toBe(true);
  await claude.passes(() => !claude.untold.isOn);
  expect([claude.untold.isOn, claude.ended()]).toEqual([false, false]);
});
