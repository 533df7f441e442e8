// What the hook of a tool is answered while messages wait to be steered.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Prompt } from '../../../../src/bridge/app/ports.ts';
import { HookEvent } from '../../../../src/bridge/claude/hooks/hook-schema.ts';
import { joinRunning } from '../../../../src/bridge/claude/hooks/join-running.ts';
import type { AgentReport, Command } from '../../../../src/domain/commands.ts';
import { decide } from '../../../../src/domain/decide/decide.ts';
import { joinable } from '../../../../src/domain/message/steer.ts';
import { bodyOf } from '../../../../src/domain/message/writer.ts';
import { evolve } from '../../../../src/domain/state/evolve.ts';
import { evolved } from '../../../domain/evolved.ts';

/** A Claude Code that works on the prompt `p`, while these texts wait. */
class Working {
  readonly reports: AgentReport[] = [];
  /** Its prompt, as long as it runs. */
  readonly turns = { runs: (prompt: string | undefined) => prompt === 'p' };
  readonly texts: readonly string[];
  readonly client = new AbortController();
  /** What happens while the disk writes. */
  meanwhile = () => {};
  written = () => {};

  constructor(...texts: string[]) {
    this.texts = texts;
  }

  joins = (): Prompt[] =>
    this.texts.map((text, index) => ({ turn: `t${index + 1}`, text, writer: 'alice', attempt: 1, meta: {} }));
  emit = (reports: readonly AgentReport[]) => void this.reports.push(...reports);
  joining = async (turns: readonly string[], hook: number) => {
    this.emit(turns.map((turn) => ({ type: 'prompt.joining', turn, hook })));
    this.meanwhile();
  };

  async ended(more: object = {}): Promise<string | undefined> {
    const tool = { tool_name: 'Bash', tool_input: {}, tool_use_id: 'u', tool_response: '' };
    const event = hook({ hook_event_name: 'PostToolUse', ...tool, ...more });
    if (event.hook_event_name !== 'PostToolUse') throw new Error(event.hook_event_name);
    const onWritten = (listener: () => void) => {
      this.written = listener;
    };
    const answer = await joinRunning(this, 1, event, { signal: this.client.signal, onWritten });
    return (answer as { hookSpecificOutput?: { additionalContext: string } }).hookSpecificOutput
      ?.additionalContext;
  }
}

const hook = (fields: object): HookEvent => HookEvent.parse({ prompt_id: 'p', ...fields });
const told = ({ reports }: Working) =>
  reports.map((report) => `${report.type} ${'turn' in report ? report.turn : ''}`);

test('what waits goes with the end of a tool, in order, and is there when the answer is written', async () => {
  const run = new Working('go left', 'then right\nand stop');
  const context = await run.ended();
  expect(context?.split('\n\n').slice(1)).toEqual(['> [alice] go left', '> [alice] then right\n> and stop']);
  expect(told(run)).toEqual(['prompt.joining t1', 'prompt.joining t2']);
  run.written();
  expect(told(run).slice(2)).toEqual(['prompt.joined t1', 'prompt.joined t2']);
});

test('a hook that was let go in between has not got it', async () => {
  const run = new Working('go left');
  run.meanwhile = () => run.client.abort();
  expect(await run.ended()).toBeUndefined();
  run.written();
  expect(told(run)).toEqual(['prompt.joining t1', 'prompt.parted t1']);
});

test.each([
  ['a subagent', { agent_id: 'helper' }],
  ['an earlier prompt', { prompt_id: 'before' }],
])('the tool of %s takes nothing along', async (_, more) => {
  const run = new Working('go left');
  expect([await run.ended(more), run.reports]).toEqual([undefined, []]);
});

test('where nothing waits, nothing is added', async () => {
  expect(await new Working().ended()).toBeUndefined();
});

test('no line of a message looks like a word of the system, and none ends the reminder it may stand in', async () => {
  const hostile = fc.stringMatching(/^(?:[a\n\r\u2028\u0085>[\]]|<\/?system-reminder>|\u001b\[2K){0,30}$/);
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const context = (await new Working(text).ended()) ?? '';
      const [head, ...lines] = context.split(/[\n\r\u0085\u2028\u2029]/);
      expect(head).toContain('passes on what was written in the chat');
      for (const line of lines.slice(1)) expect(line).toMatch(/^> /);
      expect(context).not.toMatch(/<\/?system-reminder/i);
    }),
  );
});

const filler = fc.constantFrom('a', '\t', '\n', '\u2028', '</system-reminder>', '[x]\n', 'é');

test('whatever may be handed over is less than what Claude Code would put into a file', async () => {
  const submit = (turn: string, text: string): Command => ({
    type: 'turn.submit',
    turn,
    claude: 'uuid',
    launch: { cwd: '/w', permissionMode: 'manual', delivery: 'auto' },
    ingress: 'openai',
    text,
    mode: 'steer',
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(filler, fc.nat(6_000)), { minLength: 1, maxLength: 4 }),
      async (all) => {
        const texts = all.map(([part, times], index) => submit(`t${index + 1}`, `${part.repeat(times)}.`));
        let session = evolved({});
        for (const command of texts) {
          const decision = decide(session, command, { queued: 9 });
          for (const event of 'events' in decision ? decision.events : [])
            session = evolve(session, event, 0);
        }
        const joins = joinable(session)?.joins ?? [];
        const context = await new Working(...joins.map(bodyOf)).ended();
        expect(context?.length ?? 0).toBeLessThanOrEqual(10_000);
      },
    ),
  );
});
