import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonLog } from '../../../src/base/log.ts';
import { ClaudeIds } from '../../../src/bridge/app/claude-ids.ts';
import { HookEvent } from '../../../src/bridge/claude/hooks/hook-schema.ts';
import { RunIdentity } from '../../../src/bridge/claude/run-identity.ts';

const own = randomUUID();
const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
let projects: string;
let ids: ClaudeIds;
/** Claude sessions whose lock somebody has. */
let locked: string[];
let identity: RunIdentity;
/** Where its transcript was said to be. */
let located: string[];
/** Why the log says that a hook was not followed. */
let faults: unknown[];

const log = jsonLog({
  write: (line) => {
    const { level, message, why, source } = JSON.parse(line) as Record<string, unknown>;
    expect([level, message]).toEqual(['warn', 'a hook names another Claude session, which is not followed']);
    expect(typeof source).toBe('string');
    faults.push(why);
  },
  wall: () => 0,
});

beforeEach(() => {
  projects = mkdtempSync(join(tmpdir(), 'projects-'));
  for (const name of ['-w', '-elsewhere']) mkdirSync(join(projects, name));
  ids = new ClaudeIds();
  ids.observe({ session: 'k', event: { type: 'session.claude', claude: own, launch } });
  locked = [];
  located = [];
  faults = [];
  identity = new RunIdentity({
    claude: own,
    isUsed: (id) => ids.ownerOf(id) !== undefined,
    lock: (id) => !locked.includes(id),
    located: (path) => located.push(path),
    log,
  });
  follow({ session_id: own, source: 'startup' });
});
afterEach(() => rmSync(projects, { recursive: true }));

const transcript = (id: string, project = '-w') => join(projects, project, `${id}.jsonl`);

function follow(fields: { session_id: string; source?: string; transcript_path?: string }) {
  const { session_id } = fields;
  const hook = HookEvent.parse({
    hook_event_name: 'SessionStart',
    source: 'clear',
    transcript_path: transcript(session_id),
    ...fields,
  });
  return hook.hook_event_name === 'SessionStart' ? identity.follow(hook) : undefined;
}

test('/clear, typed by a person, goes on under a new id, once for each typing', () => {
  identity.typing();
  const [first, second] = [randomUUID(), randomUUID()];
  expect(follow({ session_id: first })).toBe(first);
  expect(follow({ session_id: second })).toBeUndefined();
  identity.typing();
  expect(follow({ session_id: second })).toBe(second);
});

test('what Claude Code says of its own session changes nothing', () => {
  for (const source of ['startup', 'resume', 'compact', 'clear'])
    expect(follow({ session_id: own, source })).toBeUndefined();
  expect(faults).toEqual([]);
});

describe('a forged SessionStart is not followed', () => {
  test('while nobody types', () => {
    expect(follow({ session_id: randomUUID() })).toBeUndefined();
    expect(faults).toEqual(['nobody typed /clear']);
  });

  test.each(['startup', 'resume', 'compact', 'fork', ''])('when it says %j instead of clear', (source) => {
    identity.typing();
    expect(follow({ session_id: randomUUID(), source })).toBeUndefined();
    expect(faults).toEqual(['only /clear begins another one']);
  });

  test('with the id that any conversation has, or once had, its own included', () => {
    identity.typing();
    const [before, now, removed] = [randomUUID(), randomUUID(), randomUUID()];
    for (const claude of [before, now])
      ids.observe({ session: 'other', event: { type: 'session.claude', claude, launch } });
    ids.observe({ session: 'gone', event: { type: 'session.claude', claude: removed, launch } });
    ids.observe({ session: 'gone', event: { type: 'session.removed' } });
    for (const session_id of [before, now, removed]) expect(follow({ session_id })).toBeUndefined();
    expect(faults).toEqual(Array(3).fill('its id was used before'));
    const next = randomUUID();
    expect(follow({ session_id: next })).toBe(next);
    identity.typing();
    expect(follow({ session_id: own })).toBeUndefined();
  });

  test('with the id of a conversation that has a transcript, in whatever project', () => {
    identity.typing();
    const session_id = randomUUID();
    writeFileSync(transcript(session_id, '-elsewhere'), '{}\n');
    expect(follow({ session_id })).toBeUndefined();
    expect(faults).toEqual(['it has a transcript already']);
  });

  test('with a transcript that is elsewhere, or another’s', () => {
    identity.typing();
    const session_id = randomUUID();
    for (const transcript_path of [
      join(tmpdir(), 'elsewhere', '-w', `${session_id}.jsonl`),
      transcript(randomUUID()),
      `${projects}/-w/../../x/-w/${session_id}.jsonl`,
    ])
      expect(follow({ session_id, transcript_path })).toBeUndefined();
    expect(faults).toEqual(Array(3).fill('its transcript is elsewhere'));
  });

  test('when nothing says where the transcript of the new one is, or that of the old one was', () => {
    identity.typing();
    const session_id = randomUUID();
    expect(identity.follow({ hook_event_name: 'SessionStart', source: 'clear', session_id })).toBeUndefined();
    const fresh = new RunIdentity({
      claude: own,
      isUsed: () => false,
      lock: () => true,
      located: (path) => located.push(path),
      log,
    });
    fresh.typing();
    const start = { hook_event_name: 'SessionStart', source: 'clear' } as const;
    const next = { ...start, session_id, transcript_path: transcript(session_id) };
    expect(fresh.follow(next)).toBeUndefined();
    expect(faults).toEqual(Array(2).fill('nothing tells where its transcript is'));
    fresh.follow({ ...start, source: 'startup', session_id: own, transcript_path: transcript(own) });
    expect(fresh.follow(next)).toBe(session_id);
    expect(located).toEqual([transcript(own), transcript(own)]);
  });

  test('with another first transcript than the one that its own first hook named', () => {
    identity.typing();
    const elsewhere = join(tmpdir(), 'elsewhere', '-w');
    follow({ session_id: own, source: 'startup', transcript_path: join(elsewhere, `${own}.jsonl`) });
    const session_id = randomUUID();
    expect(follow({ session_id, transcript_path: join(elsewhere, `${session_id}.jsonl`) })).toBeUndefined();
    expect(follow({ session_id })).toBe(session_id);
  });

  test('while somebody else runs that session', () => {
    identity.typing();
    const session_id = randomUUID();
    locked = [session_id];
    expect(follow({ session_id })).toBeUndefined();
    expect(faults).toEqual(['somebody else runs it']);
  });

  test('with anything but a UUID', () => {
    identity.typing();
    const uuid = randomUUID();
    const crooked = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '--help',
        `--resume=${uuid}`,
        `${uuid}\n`,
        ` ${uuid}`,
        uuid.toUpperCase().replace(/^\d*/, 'A'),
        `{${uuid}}`,
        `../${uuid}`,
        uuid.replaceAll('-', ''),
      ),
    );
    fc.assert(fc.property(crooked, (session_id) => follow({ session_id }) === undefined));
    expect(new Set(faults)).toEqual(new Set(['its id is none']));
  });
});

test('a hook that names no session changes nothing, and neither does one without a single project so far', () => {
  identity.typing();
  expect(identity.follow({ hook_event_name: 'SessionStart', source: 'clear' })).toBeUndefined();
  expect(faults).toEqual([]);
  rmSync(projects, { recursive: true });
  const session_id = randomUUID();
  expect(follow({ session_id })).toBe(session_id);
  mkdirSync(projects);
});

test('the first conversation that had a Claude session keeps it', () => {
  ids.observe({ session: 'late', event: { type: 'session.claude', claude: own, launch } });
  expect(ids.ownerOf(own)).toBe('k');
  expect(ids.ownerOf(randomUUID())).toBeUndefined();
});
