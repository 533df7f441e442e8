// Who calls, from what the system says of the calling process alone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Ancestor,
  type Caller,
  type CallerFacts,
  highestRight,
  judgeCaller,
  mayCall,
  type Right,
} from '../../../src/domain/caller/caller.ts';

const process = (command: string, more: Partial<Ancestor> = {}): Ancestor => ({
  pid: 100,
  command,
  terminal: undefined,
  isMarked: false,
  ...more,
});
const at = (terminal: string, ...commands: string[]): Ancestor[] =>
  commands.map((command) => process(command, { terminal }));
const host = process('main.js', { host: 'f00' });

const people: Record<string, CallerFacts> = {
  'a shell in a terminal of the desktop': {
    chain: [...at('pts/3', 'synthesis', 'zsh'), process('gnome-terminal-server'), process('systemd')],
  },
  'a pane of tmux': { chain: [...at('pts/5', 'synthesis', 'bash'), process('tmux'), process('systemd')] },
  'a login by ssh': {
    chain: [...at('pts/1', 'synthesis', 'bash'), process('sshd'), process('systemd')],
    login: { name: 'remote', address: '10.0.0.7' },
  },
  'a command that is run by ssh, without a terminal': {
    chain: [process('synthesis'), process('sshd'), process('systemd')],
    login: { name: 'remote', address: '10.0.0.7' },
  },
  'a console': { chain: at('tty2', 'synthesis', 'bash', 'login') },
  'a script in a terminal': { chain: at('pts/3', 'synthesis', 'deploy.sh', 'zsh') },
};

test.each(Object.entries(people))('%s is a person', (_, facts) => {
  expect(judgeCaller(facts).kind).toBe('operator');
});

const others: Record<string, [CallerFacts, Caller['kind'], RegExp]> = {
  'below a host': [{ chain: [...at('pts/9', 'synthesis', 'bash'), host] }, 'claude', /below a Claude Code/],
  'an orphan that the host has adopted, in a terminal of its own': [
    { chain: [...at('pts/8', 'synthesis', 'sh', 'script'), host] },
    'claude',
    /below a Claude Code/,
  ],
  'started by atd, with the mark of a run': [
    { chain: [process('synthesis'), process('sh', { isMarked: true }), process('atd')] },
    'claude',
    /left behind/,
  ],
  'a login by ssh from Claude’s own shell': [
    {
      chain: [...at('pts/1', 'synthesis', 'bash'), process('sshd')],
      login: { name: 'local', of: { kind: 'claude', why: 'it runs below a Claude Code', from: 'x' } },
    },
    'claude',
    /below a Claude Code/,
  ],
  'a login by ssh of which nobody knows where it comes from': [
    { chain: [...at('pts/1', 'synthesis', 'bash'), process('sshd')], login: { name: 'unconfirmed' } },
    'unattended',
    /nothing confirms/,
  ],
  'a timer with a terminal of its own': [
    { chain: [...at('pts/8', 'synthesis', 'script'), process('cron')] },
    'unattended',
    /cron has started it/,
  ],
  'a unit of systemd': [{ chain: [process('synthesis'), process('systemd')] }, 'unattended', /no terminal/],
  'a process that is gone': [{ chain: [] }, 'unknown', /gone/],
};

test.each(Object.entries(others))('%s is no person at a terminal', (_, [facts, kind, why]) => {
  expect(judgeCaller(facts)).toMatchObject({ kind, why: expect.stringMatching(why) });
});

test('where a call comes from names the terminal, what it runs below, and the address of a login', () => {
  expect(judgeCaller(people['a pane of tmux'] as CallerFacts).from).toBe('pts/5: bash, tmux, systemd');
  expect(judgeCaller(people['a login by ssh'] as CallerFacts).from).toBe(
    'pts/1, ssh from 10.0.0.7: bash, sshd, systemd',
  );
  expect(judgeCaller({ chain: [process('synthesis')] }).from).toBe('no terminal');
});

const rights: Right[] = ['stop', 'look', 'say', 'decide'];
const can = (kind: Caller['kind'], isTrusted: boolean) =>
  rights.filter((right) => mayCall({ kind, why: '', from: '' }, right, isTrusted));

test('a person may do everything, what Claude has started may only stop things, others need to be trusted to decide', () => {
  expect([can('operator', false), can('claude', true), can('claude', false)]).toEqual([
    rights,
    ['stop'],
    ['stop'],
  ]);
  expect([can('unattended', false), can('unattended', true)]).toEqual([['stop', 'look', 'say'], rights]);
  expect([can('unknown', false), can('unknown', true)]).toEqual([['stop', 'look', 'say'], rights]);
});

test('another node is told no more than the caller may do here', () => {
  const caller = fc.record({
    kind: fc.constantFrom('operator' as const, 'claude' as const, 'unattended' as const, 'unknown' as const),
    why: fc.string(),
    from: fc.string(),
  });
  fc.assert(
    fc.property(caller, fc.boolean(), (each, isTrusted) => {
      const highest = highestRight(each, isTrusted);
      expect(mayCall(each, highest, isTrusted)).toBe(true);
      const above = rights.slice(rights.indexOf(highest) + 1);
      expect(above.filter((right) => mayCall(each, right, isTrusted))).toEqual([]);
    }),
  );
});

test('whatever runs below a host or carries a mark is Claude’s, whatever else is true of it', () => {
  const ancestor = fc.record({
    pid: fc.nat(),
    command: fc.constantFrom('bash', 'sshd', 'cron', 'tmux', 'systemd'),
    terminal: fc.option(fc.constantFrom('pts/1', 'tty2'), { nil: undefined }),
    isMarked: fc.boolean(),
    host: fc.option(fc.constant('f00'), { nil: undefined }),
  });
  const login = fc.option(
    fc.constantFrom({ name: 'remote' as const, address: '10.0.0.7' }, { name: 'unconfirmed' as const }),
    { nil: undefined },
  );
  fc.assert(
    fc.property(fc.array(ancestor, { minLength: 1 }), login, (chain, from) => {
      const isClaudes = chain.some(({ isMarked, host: is }) => isMarked || is !== undefined);
      expect(judgeCaller({ chain, login: from }).kind === 'claude').toBe(isClaudes);
    }),
  );
});
