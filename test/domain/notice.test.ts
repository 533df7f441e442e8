import { expect, test } from 'vitest';
import { type Notice, NoticeWatch } from '../../src/domain/words/notice.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

const minute = 60_000;

/** What each event brings, a second after the one before unless it says otherwise. */
function heard(...events: (SessionEvent | number)[]): Notice[] {
  const watch = new NoticeWatch(minute);
  const notices: Notice[] = [];
  let at = 0;
  for (const each of events) {
    if (typeof each === 'number') at += each;
    else {
      const notice = watch.observe({ seq: 1, at, session: 's\n1', event: each });
      if (notice) notices.push(notice);
    }
  }
  return notices;
}

const asked = (input: unknown, tool = 'Bash'): SessionEvent => ({
  type: 'permission.asked',
  code: 'kmqtr',
  tool,
  input,
  expires_at: 0,
});
const queued: SessionEvent = {
  type: 'turn.queued',
  turn: 't',
  ingress: 'openai',
  text: 'Build it',
  meta: {},
};
const running: SessionEvent = { type: 'turn.running', turn: 't' };
const settled = (outcome: 'completed' | 'failed' | 'cancelled' | 'expired', more = {}): SessionEvent => ({
  type: 'turn.settled',
  turn: 't',
  outcome,
  ...more,
});

test('a question of any kind is told with its code and its words', () => {
  expect(heard(asked({ command: 'make' }))).toEqual([
    { event: 'asks', session: 's 1', code: 'kmqtr', title: 'Claude asks for permission: Bash', text: 'make' },
  ]);
  const questions = [{ question: 'Which?', options: [{ label: 'red' }] }];
  expect(heard(asked({ questions }, 'AskUserQuestion'))[0]).toMatchObject({
    title: 'Claude asks you',
    text: 'Which?\n1. red',
  });
  expect(heard(asked({ plan: 'First this.' }, 'ExitPlanMode'))[0]).toMatchObject({
    title: 'Claude has a plan',
    text: 'First this.',
  });
});

test('the question of an agent names it, and its title is one line between quotation marks', () => {
  const from = (title: string | undefined, event = asked({ command: 'make' })) =>
    heard({ ...event, agent: { id: 'a1', ...(title !== undefined && { title }) } } as SessionEvent)[0]?.title;
  expect(from('tests')).toBe('The agent "tests" asks for permission: Bash');
  expect(from('x"\u202e\n: rm')).toBe('The agent "x\'⟦U+202E⟧ : rm" asks for permission: Bash');
  expect(from(undefined)).toBe('An agent of Claude asks for permission: Bash');
  expect(from('docs', asked({ plan: 'First this.' }, 'ExitPlanMode'))).toBe('The agent "docs" has a plan');
});

test('a dialog of Claude Code waits, too', () => {
  const [notice] = heard({
    type: 'agent.dialog',
    dialog: 'trust',
    screen: 'Do you?',
    failure: 'start_dialog',
  });
  expect(notice).toMatchObject({ event: 'asks', title: 'Claude Code waits for you: trust', text: 'Do you?' });
});

test('a dialog at the start that is asked as a question is told as that alone', () => {
  const dialog: SessionEvent = {
    type: 'agent.dialog',
    dialog: 'unknown',
    screen: 'Well?',
    failure: 'start_dialog',
    asked: true,
  };
  const input = { dialog: 'd', words: 'Well?', options: ['Yes'] };
  expect(heard(dialog, asked(input, 'Claude Code dialog'))).toMatchObject([
    { event: 'asks', title: 'Claude Code shows a dialog', code: expect.any(String) },
  ]);
});

test('what fails or expires is told, what was interrupted is not', () => {
  expect(heard(queued, settled('failed', { code: 'exited', detail: 'exit code 1' }))).toMatchObject([
    { event: 'failed', text: 'exited: exit code 1' },
  ]);
  expect(heard(queued, settled('expired'))).toMatchObject([{ event: 'failed' }]);
  expect(heard(queued, running, 5 * minute, settled('cancelled'))).toEqual([]);
});

test('the end of a turn is told when it worked for longer than was said; waiting in line does not count', () => {
  expect(heard(queued, running, minute - 1, settled('completed'))).toEqual([]);
  expect(heard(queued, 10 * minute, running, 1000, settled('completed'))).toEqual([]);
  expect(heard(queued, running, 3 * minute, settled('completed', { into: 'other' }))).toEqual([]);
  expect(heard(queued, running, 3 * minute, settled('completed'))).toEqual([
    { event: 'done', session: 's 1', title: 'Claude has answered, after 3 min', text: 'Build it' },
  ]);
});

test('each end is told once, and a turn of a session that was removed not at all', () => {
  const end = settled('completed');
  expect(heard(queued, running, 3 * minute, end, end)).toHaveLength(1);
  expect(heard(queued, running, 3 * minute, { type: 'session.removed', forget: true }, end)).toEqual([]);
});

test('words are bounded, of one line where they are a title, and hold nothing that a terminal obeys', () => {
  const evil = '\u0000\u001b]0;owned\u0007\u202e\u009b2J';
  const notices = heard(
    asked({ command: `${evil}${'x'.repeat(50_000)}` }, `Bash\n${evil}${'y'.repeat(5_000)}`),
    { type: 'agent.dialog', dialog: evil, screen: `${evil}${'z'.repeat(50_000)}`, failure: 'start_dialog' },
    { ...queued, text: `${evil}${'q'.repeat(50_000)}` },
    running,
    3 * minute,
    settled('completed'),
    settled('failed', { detail: evil }),
  );
  expect(notices).toHaveLength(4);
  for (const { title, text } of notices) {
    expect(title).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(title.length).toBeLessThan(400);
    expect(text.length).toBeLessThan(1_300);
  }
  expect(notices[0]?.text).toMatch(/\n… \(\d+ more characters\)$/);
});

test('a message that waits for a person is told once, and not beside the dialog that says so itself', () => {
  const held = (code: 'hooks_off' | 'start_dialog'): SessionEvent => ({
    type: 'turn.held',
    turn: 't',
    code,
    detail: 'disableAllHooks in settings.json',
  });
  const again: SessionEvent = { type: 'turn.delivering', turn: 't', attempt: 1 };
  expect(heard(queued, held('hooks_off'), again, held('hooks_off'))).toEqual([
    {
      event: 'asks',
      session: 's 1',
      title: 'A message waits for you',
      text: 'disableAllHooks in settings.json',
    },
  ]);
  expect(heard(queued, held('start_dialog'))).toEqual([]);
});
