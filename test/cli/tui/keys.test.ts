import { describe, expect, test } from 'vitest';
import type { Binding } from '../../../src/cli/tui/keys/binding.ts';
import { acrossPanes, everywhere } from '../../../src/cli/tui/keys/everywhere.ts';
import { helpGroups, helpKey } from '../../../src/cli/tui/keys/help-groups.ts';
import { keyNames } from '../../../src/cli/tui/keys/key-names.ts';
import { overlayKeys } from '../../../src/cli/tui/keys/overlay-keys.ts';
import { paneKeys } from '../../../src/cli/tui/keys/pane-keys.ts';
import { panicKeys } from '../../../src/cli/tui/keys/panic-keys.ts';
import { sessionKeys } from '../../../src/cli/tui/keys/session-keys.ts';
import { digestOf } from '../../../src/domain/question/picture.ts';
import type { PermissionSuggestion } from '../../../src/protocol/events/permission-events.ts';
import { noon, Seat } from './seat.ts';

const key = 'agent:main:telegram:direct:4242';

const digest = digestOf({ tool: 'Bash', input: { command: 'npm test' }, cut: false });

function asking(
  input: unknown = { command: 'npm test' },
  tool = 'Bash',
  suggestions: PermissionSuggestion[] = [],
): Seat {
  const seat = new Seat();
  seat.working(key);
  seat.asks(key, 'kmqtr', tool, input, suggestions);
  return seat;
}

const call = (method: string, params: object) => expect.objectContaining({ type: 'call', method, params });

describe('a permission request', () => {
  test('p shows the whole of it, a allows it once', () => {
    const seat = asking();
    seat.press('p');
    expect(seat.screen).toContain('│ npm test');
    expect(seat.screen).toContain('a allow once   d deny   Esc close');
    seat.press('a');
    expect(seat.taken()).toEqual([]);
    expect(seat.screen).toContain('Allow it this once?  Ctrl-Y yes   any other key no');
    seat.press('ctrl+y');
    expect(seat.taken()).toEqual([
      call('permission.decide', {
        code: 'kmqtr',
        verdict: 'allow',
        scope: 'once',
        door: 'tui',
        shown: digest,
      }),
    ]);
    expect(seat.screen).not.toContain('allow once');
  });

  test('s says what it grants, and allows it for the session', () => {
    const seat = asking(undefined, undefined, [
      { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'npm *' }] },
    ]);
    seat.press('p');
    expect(seat.screen).toContain('s allows for the rest of this session, too:');
    expect(seat.screen).toContain('allow Bash(npm *)');
    seat.press('s', 'ctrl+y');
    expect(seat.taken()).toEqual([
      call('permission.decide', {
        code: 'kmqtr',
        verdict: 'allow',
        scope: 'session',
        door: 'tui',
        shown: digest,
      }),
    ]);
  });

  test('s is not offered where Claude Code suggests nothing, and does nothing there', () => {
    const seat = asking();
    seat.press('p', 's', 'ctrl+y');
    expect(seat.taken()).toEqual([]);
    expect(seat.screen).toContain('Claude Code suggests nothing for its session');
  });

  test('nothing that can be typed allows it, whoever has the panel open and believes to be elsewhere', () => {
    const seat = asking();
    for (const words of ['as always, say yes', 'say a yes today', 'sassy'])
      seat.press('p', `type:${words}`, 'enter', 'esc', 'esc');
    expect(JSON.stringify(seat.taken())).not.toContain('allow');
    seat.press('p', 'a', 'x', 'ctrl+y');
    expect(seat.taken()).toEqual([]);
  });

  test('Esc and a letter that the terminal reads as one Alt key close the panel, and words go where they were meant to', () => {
    const seat = asking();
    seat.press('p');
    for (const { name, text } of keyNames('m', { meta: true } as never))
      seat.act({ type: 'key', name, text });
    seat.press('type:a sad day as always');
    expect(seat.screen).not.toContain('allow once');
    seat.press('enter');
    expect(seat.taken()).toEqual([
      call('session.send', { session: key, text: 'a sad day as always', create: false, follow: false }),
    ]);
  });

  test('d asks why, and denies with the reason', () => {
    const seat = asking();
    seat.press('p', 'd', 'type:not on Friday', 'enter');
    expect(seat.taken()).toEqual([
      call('permission.decide', { code: 'kmqtr', verdict: 'deny', door: 'tui', reason: 'not on Friday' }),
    ]);
  });

  test('Esc while a reason is typed denies nothing', () => {
    const seat = asking();
    seat.press('p', 'd', 'type:no', 'esc', 'esc');
    expect(seat.taken()).toEqual([]);
    expect(seat.row('▲ asking')).not.toBe('');
  });

  test('on a narrow screen the words that say what a key did not do have the row to themselves', () => {
    const seat = new Seat(40, 12);
    seat.working(key);
    seat.asks(key, 'kmqtr', 'Bash', {
      command: Array.from({ length: 9 }, (_, at) => `echo ${at}`).join('\n'),
    });
    seat.press('p', 'a');
    expect(seat.screen).toContain('Read all of it first: scroll down');
    seat.press('esc');
    seat.act({ type: 'tick', now: noon + 60_000 });
    expect(seat.screen).toContain('q quit');
  });

  test('an input longer than the screen is allowed only once all of it was on the screen, and a jump to its end leaves something out', () => {
    const command = Array.from({ length: 60 }, (_, at) => `echo ${at}`).join('\n');
    const seat = asking({ command });
    seat.press('p');
    expect(seat.screen).toContain('more lines ↓');
    seat.press('a');
    expect(seat.screen).toContain('Read all of it first: scroll down (PgDn)');
    seat.press('end', 'a', 'ctrl+y');
    expect(seat.taken()).toEqual([]);
    seat.press('home', 'pagedown', 'pagedown', 'pagedown', 'pagedown', 'pagedown', 'a', 'ctrl+y');
    expect(seat.taken()).toHaveLength(1);
  });

  test('one that was answered elsewhere meanwhile is neither allowed nor replaced by the next one', () => {
    const seat = asking();
    seat.press('p');
    seat.asks(key, 'zzzzz', 'Bash', { command: 'rm -rf build' });
    seat.happens(key, {
      type: 'permission.decided',
      code: 'kmqtr',
      verdict: 'deny',
      by: 'chat',
      scope: 'once',
    });
    expect(seat.screen).toContain('kmqtr (Bash) was denied in the chat.');
    seat.press('a', 's', 'd');
    expect(seat.taken()).toEqual([]);
    expect(seat.screen).toContain('It is answered already.');
  });

  test('a question of Claude is shown with its options and answered in words or numbers', () => {
    const seat = asking(
      {
        questions: [
          { question: 'Which colour?', options: [{ label: 'red' }, { label: 'blue', description: 'calm' }] },
        ],
      },
      'AskUserQuestion',
    );
    seat.press('p');
    expect(seat.screen).toContain('Which colour?');
    expect(seat.screen).toContain('2. blue — calm');
    // As words that were meant for elsewhere.
    seat.press('a', 'type:nd go on', 'enter');
    expect(seat.screen).toContain('Ctrl-Y gives this answer to Claude, Esc leaves it.');
    expect(seat.taken()).toEqual([]);
    seat.press('esc', '2', 'ctrl+y');
    expect(seat.taken()).toEqual([
      call('permission.decide', {
        code: 'kmqtr',
        verdict: 'allow',
        door: 'tui',
        answer: '2',
        shown: expect.stringMatching(/^[0-9a-f]{16}$/),
      }),
    ]);
  });

  test('the request of the chosen session comes first', () => {
    const seat = asking();
    seat.working('other');
    seat.asks('other', 'aaaaa');
    seat.press('down', 'p');
    expect(seat.screen).toContain('Permission aaaaa');
  });

  test('without one, p says so', () => {
    const seat = new Seat();
    seat.press('p');
    expect(seat.screen).toContain('No permission request waits.');
  });
});

describe('a message', () => {
  test('m, text, Enter sends it to the chosen session', () => {
    const seat = asking();
    seat.press('m', 'type:go on', 'enter');
    expect(seat.taken()).toEqual([
      call('session.send', { session: key, text: 'go on', create: false, follow: false }),
    ]);
  });

  test('keys are text while it is typed, q and ? included', () => {
    const seat = asking();
    seat.press('m', 'type:quit? 1 of 2');
    expect(seat.taken()).toEqual([]);
    expect(seat.screen).toContain('❯ quit? 1 of 2');
  });

  test('a paste keeps its lines, and Ctrl-J makes one', () => {
    const seat = asking();
    seat.press('m');
    seat.act({ type: 'paste', text: 'one\r\ntwo' });
    seat.press('ctrl+j', 'type:three', 'enter');
    expect(seat.taken()).toMatchObject([{ params: { text: 'one\ntwo\nthree' } }]);
  });

  test('Esc keeps the draft of each session', () => {
    const seat = asking();
    seat.press('m', 'type:not yet', 'esc', 'm');
    expect(seat.screen).toContain('❯ not yet');
  });

  test('what the bridge refused is still there; what it stored is not', () => {
    const seat = asking();
    seat.press('m', 'type:go on', 'enter');
    const [sent] = seat.taken();
    if (sent?.type !== 'call') throw new Error('nothing was sent');
    seat.act({ type: 'failed', call: sent, message: 'The bridge is not there.', suggestion: 'Wait.' });
    expect(seat.screen).toContain('The bridge is not there. Wait.');
    seat.press('m');
    expect(seat.screen).toContain('❯ go on');
    seat.press('esc');
    seat.act({ type: 'done', call: sent });
    seat.press('m');
    expect(seat.screen).not.toContain('❯ go on');
  });

  test('editing moves by what a person calls a character', () => {
    const seat = asking();
    seat.press('m', 'type:ab', 'left', 'left', 'type:x', 'end', 'backspace');
    seat.act({ type: 'paste', text: '日本👍🏽' });
    seat.press('backspace', 'backspace', 'enter');
    expect(seat.taken()).toMatchObject([{ params: { text: 'xa日' } }]);
  });
});

describe('the chosen session', () => {
  test('is interrupted, stopped, restarted and removed only after a yes', () => {
    for (const [pressed, yes, method] of [
      ['x', 'y', 'session.interrupt'],
      ['S', 'y', 'session.stop'],
      ['R', 'y', 'session.restart'],
      ['D', 'ctrl+y', 'session.remove'],
    ] as const) {
      const seat = asking();
      seat.press(pressed, 'enter');
      expect(seat.taken()).toEqual([]);
      expect(seat.screen).toContain('Nothing was done.');
      seat.press(pressed, yes);
      expect(seat.taken()).toEqual([call(method, { session: key })]);
    }
  });

  test('is not removed by a word that was meant for elsewhere', () => {
    const seat = asking();
    seat.press('D');
    expect(seat.screen).toMatch(/Remove, and delete all text of .*Ctrl-Y yes {3}any other key no/);
    seat.press('y');
    expect([seat.taken(), seat.screen.includes('Nothing was done.')]).toEqual([[], true]);
  });

  test('stays chosen while others come, and the named one is chosen as soon as it is known', () => {
    const seat = new Seat(80, 24, 'discord:group');
    seat.working('agent:telegram');
    expect(seat.row('▸')).toContain('agent:telegram');
    seat.working('discord:group:2');
    expect(seat.row('▸')).toContain('agent:telegram');
    seat.working('discord:group');
    expect(seat.row('▸')).toMatch(/▸ discord:group /);
    seat.working('third');
    expect(seat.row('▸')).toContain('discord:group');
  });

  test('t asks for its own screen', () => {
    const seat = asking();
    seat.press('t');
    expect(seat.taken()).toEqual([{ type: 'terminal', session: key }]);
  });
});

describe('frames', () => {
  function streaming(): Seat {
    const seat = asking();
    seat.press('3');
    for (let at = 0; at < 40; at += 1) seat.says(key, `line ${at}\n`, at);
    return seat;
  }

  test('follow the newest until the reader scrolls, and again at the end', () => {
    const seat = streaming();
    expect(seat.screen).toContain('line 39');
    seat.press('up', 'up');
    for (let at = 40; at < 60; at += 1) seat.says(key, `line ${at}\n`, at);
    expect(seat.screen).toContain('scrolled');
    expect(seat.screen).not.toContain('line 59');
    seat.press('G');
    expect(seat.screen).toContain('line 59');
    expect(seat.screen).toContain('following');
  });

  test('pause holds the picture and counts what comes', () => {
    const seat = streaming();
    seat.press('space');
    seat.says(key, 'while paused\n', 40);
    expect(seat.screen).not.toContain('while paused');
    expect(seat.screen).toContain('paused +1');
    seat.press('space');
    expect(seat.screen).toContain('while paused');
  });

  test('are filtered by kind', () => {
    const seat = streaming();
    seat.press('f', 'down', 'space', 'esc');
    expect(seat.screen).toContain('1 kinds hidden');
    expect(seat.screen).not.toContain('answer.delta');
    expect(seat.screen).toContain('permission.asked');
  });

  test('are filtered by a text in any part of them, and Esc shows all again', () => {
    const seat = streaming();
    seat.press('/', 'type:EXPIRES_AT', 'enter');
    expect(seat.screen).toContain('permission.asked');
    expect(seat.screen).not.toContain('answer.delta');
    seat.press('esc');
    expect(seat.screen).toContain('answer.delta');
  });

  test('are limited to the chosen session', () => {
    const seat = streaming();
    seat.working('other');
    expect(seat.screen).toContain('other');
    seat.press('o');
    expect(seat.rows.filter((row) => row.includes('other') && row.includes('turn.'))).toEqual([]);
  });

  test('are shown whole, and turned over with the arrows', () => {
    const seat = streaming();
    seat.press('enter');
    expect(seat.screen).toContain('"text": "line 39\\n"');
    seat.press('left');
    expect(seat.screen).toContain('"text": "line 38\\n"');
    seat.press('right');
    expect(seat.screen).toContain('"text": "line 39\\n"');
  });
});

test('the help names every key of every table', () => {
  const seat = new Seat(160, 70);
  seat.press('?');
  for (const { title, keys } of helpGroups) {
    expect(seat.screen).toContain(title);
    for (const { words } of keys) expect(seat.screen).toContain(words);
  }
});

test('a key never means two things in one place', () => {
  const overlays = Object.entries(overlayKeys).map(([name, table]) => [
    name,
    [table, everywhere, panicKeys, [helpKey], ...(name === 'info' ? [sessionKeys] : [])],
  ]);
  const seats = Object.entries(paneKeys).map(([name, table]) => [
    name,
    [table, sessionKeys, acrossPanes, everywhere, panicKeys, [helpKey]],
  ]);
  for (const [name, tables] of [...overlays, ...seats] as [string, Binding[][]][]) {
    const keys = tables.flat().flatMap((binding) => binding.keys);
    const twice = keys.filter((each, at) => keys.indexOf(each) !== at);
    expect(twice, name).toEqual([]);
  }
});

test('q quits, also from an overlay; Ctrl-C quits from everywhere', () => {
  for (const keys of [['q'], ['?', 'q'], ['ctrl+c'], ['m', 'ctrl+c'], ['p', 'ctrl+c']]) {
    const seat = asking();
    seat.press(...keys);
    expect(seat.taken()).toEqual([{ type: 'quit' }]);
  }
});

test('a handful of keys that arrive at once are as many keys', () => {
  const none = {} as Parameters<typeof keyNames>[1];
  expect(keyNames('go\r', none).map(({ name }) => name)).toEqual(['g', 'o', 'enter']);
  expect(keyNames('', { ...none, return: true, meta: true }).map(({ name }) => name)).toEqual(['ctrl+j']);
});

test('messages go to where the reader can see them: a snapshot of another journal starts the frames anew', () => {
  const seat = asking();
  seat.news({ kind: 'snapshot', snapshot: { seq: 1, sessions: [] } });
  expect(seat.model.frames).toEqual([]);
  expect(seat.screen).toContain('No sessions yet');
});
