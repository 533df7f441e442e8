// Settings of a session follow the configuration: over every history of configurations, starts and ends.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { isLooserContain } from '../../src/domain/contain-mode.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import { isUnstarted } from '../../src/domain/follow-settings.ts';
import { isLooser, modeName } from '../../src/domain/permission-mode.ts';
import { isLooserSandbox } from '../../src/domain/sandbox-mode.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../src/domain/state/session.ts';
import { sessionRow } from '../../src/domain/views/session/session-row.ts';
import { type LaunchOptions, SessionEvent } from '../../src/protocol/events/events.ts';
import { PermissionMode } from '../../src/protocol/settings/permission-mode.ts';
import { SandboxMode } from '../../src/protocol/settings/sandbox.ts';
import { runs } from '../support/runs.ts';

interface Run {
  session: Session;
  events: SessionEvent[];
}

function apply(run: Run, command: Command): Run {
  const decision = decide(run.session, command, { queued: 3 });
  if ('rejection' in decision) return run;
  return {
    session: decision.events.reduce((state, event) => evolve(state, event, 0), run.session),
    events: [...run.events, ...decision.events],
  };
}

const launchOf = (permissionMode: PermissionMode, more: Partial<LaunchOptions> = {}): LaunchOptions => ({
  cwd: '/w',
  permissionMode,
  delivery: 'auto',
  ...more,
});

const submit = (launch: LaunchOptions): Command => ({
  type: 'turn.submit',
  turn: 't1',
  claude: 'uuid',
  launch,
  ingress: 'operator',
  text: 'hello',
});

const opened = (launch: LaunchOptions): Run =>
  apply({ session: emptySession('k'), events: [] }, submit(launch));

const started = ({ session }: Run) => session.claude?.launch;
const rowOf = ({ session }: Run) => sessionRow(session, 'id');
const follow = (launch: LaunchOptions): Command => ({ type: 'session.configure', launch, take: 'safe' });
const restart = (launch: LaunchOptions): Command => ({ type: 'session.configure', launch, take: 'all' });

const mode = fc.constantFrom(...PermissionMode.options);
const launch = fc
  .record({
    cwd: fc.constantFrom('/w', '/w/sub'),
    permissionMode: mode,
    delivery: fc.constantFrom('auto' as const, 'channel' as const, 'terminal' as const),
    model: fc.constantFrom(undefined, 'haiku'),
    permissionProfile: fc.constantFrom(undefined, 'a*'),
    sandbox: fc.constantFrom(undefined, ...SandboxMode.options),
    contain: fc.constantFrom(undefined, 'on' as const, 'required' as const),
  })
  .map(
    ({ model, permissionProfile, sandbox, contain, ...rest }): LaunchOptions => ({
      ...rest,
      ...(model !== undefined && { model }),
      ...(permissionProfile !== undefined && { permissionProfile }),
      ...(sandbox !== undefined && { sandbox }),
      ...(contain !== undefined && { contain }),
    }),
  );

type Step = { does: 'up' | 'restart'; launch: LaunchOptions } | { does: 'command'; command: Command };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: launch.map((next): Step => ({ does: 'up', launch: next })) },
  launch.map((next): Step => ({ does: 'restart', launch: next })),
  fc
    .constantFrom<Command>(
      { type: 'session.start', by: 'test' },
      { type: 'agent.starting' },
      { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] },
      { type: 'agent.mode', mode: 'acceptEdits' },
      { type: 'agent.exited', detail: 'idle' },
      { type: 'agent.exited', detail: 'no folder', failure: 'folder_unusable' },
      { type: 'agent.dialog', dialog: 'trust', screen: '', failure: 'folder_untrusted' },
      { type: 'prompt.handing', turn: 't1' },
      { type: 'prompt.taken', turn: 't1' },
      { type: 'agent.session', claude: 'another' },
      { type: 'turn.idle', interrupted: false },
      { type: 'session.stop', reason: 'test' },
    )
    .map((command): Step => ({ does: 'command', command })),
);

test('no Claude Code is started looser than the configuration of its bridge, nor looser than before without a restart', () => {
  fc.assert(
    fc.property(launch, fc.array(step, { maxLength: 40 }), (first, steps) => {
      let configured = first;
      let run = opened(first);
      for (const next of steps) {
        const before = started(run);
        const isNew = isUnstarted(run.session);
        if (next.does === 'command') run = apply(run, next.command);
        else {
          configured = next.launch;
          run = apply(run, (next.does === 'up' ? follow : restart)(next.launch));
          // A new bridge: no Claude Code of the last one is left.
          if (next.does === 'up') run = apply(run, { type: 'session.recover' });
        }
        const now = started(run);
        if (!before || !now) throw new Error('a session that is open has a Claude');
        expect(isLooser(now.permissionMode, configured.permissionMode)).toBe(false);
        expect(isLooserSandbox(now.sandbox, configured.sandbox)).toBe(false);
        expect(isLooserContain(now.contain, configured.contain)).toBe(false);
        if (next.does === 'restart') expect(now).toEqual(next.launch);
        else {
          expect(isLooser(now.permissionMode, before.permissionMode)).toBe(false);
          expect(isLooserSandbox(now.sandbox, before.sandbox)).toBe(false);
          expect(isLooserContain(now.contain, before.contain)).toBe(false);
          expect(now.cwd).toBe(isNew && next.does === 'up' ? configured.cwd : before.cwd);
        }
        // What grants nothing follows; what waits is said, and nothing else is.
        expect([now.model, now.delivery]).toEqual([configured.model, configured.delivery]);
        const waits = rowOf(run).waits_for_restart;
        expect(waits?.cwd ?? now.cwd).toBe(configured.cwd);
        expect(waits?.sandbox ?? now.sandbox ?? 'off').toBe(configured.sandbox ?? 'off');
        expect(waits?.contain ?? now.contain ?? 'off').toBe(configured.contain ?? 'off');
        expect(waits?.permission_mode ?? modeName(now.permissionMode)).toBe(
          modeName(configured.permissionMode),
        );
      }
      const replayed = run.events
        .map((event) => SessionEvent.parse(JSON.parse(JSON.stringify(event))))
        .reduce((state, event) => evolve(state, event, 0), emptySession('k'));
      expect(replayed).toEqual(run.session);
    }),
    { numRuns: runs(2_000) },
  );
});

test('looser is an order: nothing is looser than itself or both ways, and it carries over', () => {
  const { options } = PermissionMode;
  for (const a of options) {
    expect(isLooser(a, a)).toBe(false);
    for (const b of options) {
      expect(isLooser(a, b) && isLooser(b, a)).toBe(false);
      for (const c of options) if (isLooser(a, b) && isLooser(b, c)) expect(isLooser(a, c)).toBe(true);
    }
  }
});

test.each([
  ['bypassPermissions', 'auto'],
  ['auto', 'acceptEdits'],
  ['acceptEdits', 'manual'],
  ['acceptEdits', 'default'],
  ['manual', 'dontAsk'],
  ['manual', 'plan'],
] as const)('%s is looser than %s', (looser, tighter) => {
  expect(isLooser(looser, tighter)).toBe(true);
});

test('manual and default are one mode, and of plan and dontAsk neither is looser', () => {
  for (const [a, b] of [
    ['manual', 'default'],
    ['plan', 'dontAsk'],
  ] as const)
    expect([isLooser(a, b), isLooser(b, a)]).toEqual([false, false]);
});

test.each([
  ['plan', 'dontAsk'],
  ['dontAsk', 'plan'],
] as const)('from %s to %s, of which neither is looser, the configuration is followed', (kept, said) => {
  const run = apply(opened(launchOf(kept)), follow(launchOf(said)));
  expect(started(run)?.permissionMode).toBe(said);
  expect(rowOf(run).waits_for_restart).toBeNull();
});

const elsewhere = launchOf('manual', { cwd: '/other' });
const here = launchOf('manual');

test.each<[what: string, commands: Command[], follows: boolean]>([
  ['whose folder was not there', [{ type: 'agent.exited', detail: '', failure: 'folder_unusable' }], true],
  [
    'whose folder is not trusted',
    [
      { type: 'agent.starting' },
      { type: 'agent.dialog', dialog: 'trust', screen: '', failure: 'folder_untrusted' },
    ],
    true,
  ],
  ['whose message is on its way, unseen', [{ type: 'agent.starting' }], true],
  ['whose message Claude may have seen', [{ type: 'prompt.handing', turn: 't1' }], false],
  [
    'whose message Claude may have seen, before it ended',
    [
      { type: 'prompt.handing', turn: 't1' },
      { type: 'prompt.failed', turn: 't1', code: 'delivery_failed', detail: '', retry: false },
      { type: 'agent.exited', detail: '' },
    ],
    false,
  ],
  [
    'that Claude Code is ready for',
    [{ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] }],
    false,
  ],
  [
    'that has had an answer',
    [
      { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] },
      { type: 'prompt.handing', turn: 't1' },
      { type: 'prompt.taken', turn: 't1' },
      { type: 'turn.rest' },
      { type: 'agent.exited', detail: 'idle' },
    ],
    false,
  ],
])(
  'another folder is followed only where nothing was begun in the old one: a session %s',
  (_, commands, follows) => {
    const run = apply(commands.reduce(apply, opened(here)), follow(elsewhere));
    expect(started(run)?.cwd).toBe(follows ? '/other' : '/w');
    expect(rowOf(run).waits_for_restart).toEqual(
      follows ? null : { permission_mode: null, cwd: '/other', sandbox: null, contain: null },
    );
  },
);

test.each([
  ['off', 'on', 'on', null],
  ['off', 'required', 'required', null],
  ['on', 'required', 'required', null],
  ['required', 'on', 'required', 'on'],
  ['required', 'off', 'required', 'off'],
  ['on', 'off', 'on', 'off'],
] as const)(
  'a sandbox or a wall that was %s and is to be %s is %s until a restart',
  (was, is, now, waits) => {
    for (const name of ['sandbox', 'contain'] as const) {
      const run = apply(
        opened(launchOf('manual', { [name]: was })),
        follow(launchOf('manual', { [name]: is })),
      );
      expect([rowOf(run)[name], rowOf(run).waits_for_restart?.[name] ?? null]).toEqual([now, waits]);
      expect(rowOf(apply(run, restart(launchOf('manual', { [name]: is }))))).toMatchObject({
        [name]: is,
        waits_for_restart: null,
      });
    }
  },
);

test('a session that begins in another folder has no looser mode there than it had', () => {
  const failed: Command = { type: 'agent.exited', detail: '', failure: 'folder_unusable' };
  const said = launchOf('bypassPermissions', { cwd: '/other' });
  const run = apply(apply(opened(here), failed), follow(said));
  expect(started(run)).toMatchObject({ cwd: '/other', permissionMode: 'manual' });
  expect(rowOf(run).waits_for_restart).toEqual({
    permission_mode: 'bypassPermissions',
    cwd: null,
    sandbox: null,
    contain: null,
  });
});

test('a configuration that did not change writes nothing, however its fields are ordered', () => {
  const run = opened(launchOf('manual', { model: 'haiku', permissionProfile: 'a*' }));
  const { events } = apply(
    run,
    follow({
      permissionProfile: 'a*',
      model: 'haiku',
      delivery: 'auto',
      permissionMode: 'manual',
      cwd: '/w',
    }),
  );
  expect(events).toEqual(run.events);
});

test('a row says which mode is in force, where it comes from, and what waits', () => {
  const said = (run: Run) => {
    const row = rowOf(run);
    return [row.permission_mode, row.permission_mode_source, row.waits_for_restart?.permission_mode ?? null];
  };
  let run = opened(launchOf('bypassPermissions', { permissionProfile: 'agent:*' }));
  expect(said(run)).toEqual(['bypassPermissions', 'profile agent:*', null]);
  run = apply(run, follow(launchOf('default')));
  expect(said(run)).toEqual(['manual', 'configuration', null]);
  run = apply(run, follow(launchOf('auto', { permissionProfile: 'agent:*' })));
  expect(said(run)).toEqual(['manual', 'kept', 'auto']);
  run = apply(apply(run, { type: 'agent.starting' }), { type: 'agent.mode', mode: 'default' });
  expect(said(run)).toEqual(['manual', 'kept', 'auto']);
  run = apply(run, { type: 'agent.mode', mode: 'acceptEdits' });
  expect(said(run)).toEqual(['acceptEdits', 'switched from manual', 'auto']);
  // `/clear` goes on in the same process; what waits still waits.
  run = apply(run, { type: 'agent.session', claude: 'another' });
  expect(said(run)).toEqual(['acceptEdits', 'switched from manual', 'auto']);
  // Led to it or not: a new process is in the mode it is started with.
  run = apply(run, { type: 'agent.exited', detail: 'idle' });
  expect(said(run)).toEqual(['manual', 'kept', 'auto']);
  run = apply(run, restart(launchOf('auto', { permissionProfile: 'agent:*' })));
  expect(said(run)).toEqual(['auto', 'profile agent:*', null]);
});

/** As 0.x wrote it: no profile, nothing that waits, and the mode kept for ever. */
const oldJournal = `
{"type":"session.opened","ingress":"openai"}
{"type":"session.claude","claude":"6f1c9b1e-5a0d-4a0e-9a55-0c8f3a2b1d4e","launch":{"cwd":"/home/alice/work","permissionMode":"bypassPermissions","delivery":"auto","model":"haiku"}}
{"type":"turn.queued","turn":"t1","ingress":"openai","text":"hello","meta":{}}
{"type":"turn.delivering","turn":"t1","attempt":1}
{"type":"agent.starting"}
{"type":"agent.ready","pid":4711,"delivery":"terminal","health":[]}
{"type":"turn.handed","turn":"t1"}
{"type":"turn.running","turn":"t1","prompt":"p1"}
{"type":"turn.settled","turn":"t1","outcome":"completed","code":"empty_answer"}
`;

test('a journal from before settings followed is read, and its session tightened', () => {
  const events = oldJournal
    .trim()
    .split('\n')
    .map((line) => SessionEvent.parse(JSON.parse(line)));
  const session = events.reduce((state, event) => evolve(state, event, 0), emptySession('k'));
  const old = { session, events };
  expect(rowOf(old)).toMatchObject({
    permission_mode: 'bypassPermissions',
    permission_mode_source: 'configuration',
    waits_for_restart: null,
  });
  const now = apply(old, follow(launchOf('manual', { cwd: '/home/alice/work' })));
  expect(started(now)).toEqual({ cwd: '/home/alice/work', permissionMode: 'manual', delivery: 'auto' });
  expect(now.session.claude).toMatchObject({ id: '6f1c9b1e-5a0d-4a0e-9a55-0c8f3a2b1d4e', prompted: true });
});
