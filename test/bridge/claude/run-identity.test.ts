import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { ClaudeIds } from '../../../src/bridge/app/claude-ids.ts';
import { HookEvent } from '../../../src/bridge/claude/hook-schema.ts';
import { RunIdentity } from '../../../src/bridge/claude/run-identity.ts';

const own = randomUUID();
const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
let projects: string;
let ids: ClaudeIds;
/** Claude sessions whose lock somebody has. */
let locked: string[];
let identity: RunIdentity;

beforeEach(() => {
  projects = mkdtempSync(join(tmpdir(), 'projects-'));
  for (const name of ['-w', '-elsewhere']) mkdirSync(join(projects, name));
  ids = new ClaudeIds();
  ids.observe({ session: 'k', event: { type: 'session.claude', claude: own, launch } });
  locked = [];
  identity = new RunIdentity({
    claude: own,
    isUsed: (id) => ids.ownerOf(id) !== undefined,
    lock: (id) => !locked.includes(id),
    log: silentLog,
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
});

describe('a forged SessionStart is not followed', () => {
  test('while nobody types', () => {
    expect(follow({ session_id: randomUUID() })).toBeUndefined();
  });

  test.each(['startup', 'resume', 'compact', 'fork', ''])('when it says %j instead of clear', (source) => {
    identity.typing();
    expect(follow({ session_id: randomUUID(), source })).toBeUndefined();
  });

  test('with the id that any conversation has, or once had, its own included', () => {
    identity.typing();
    const [before, now, removed] = [randomUUID(), randomUUID(), randomUUID()];
    for (const claude of [before, now])
      ids.observe({ session: 'other', event: { type: 'session.claude', claude, launch } });
    ids.observe({ session: 'gone', event: { type: 'session.claude', claude: removed, launch } });
    ids.observe({ session: 'gone', event: { type: 'session.removed' } });
    for (const session_id of [before, now, removed]) expect(follow({ session_id })).toBeUndefined();
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
  });

  test('while somebody else runs that session', () => {
    identity.typing();
    const session_id = randomUUID();
    locked = [session_id];
    expect(follow({ session_id })).toBeUndefined();
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
  });
});

test('the first conversation that had a Claude session keeps it', () => {
  ids.observe({ session: 'late', event: { type: 'session.claude', claude: own, launch } });
  expect(ids.ownerOf(own)).toBe('k');
  expect(ids.ownerOf(randomUUID())).toBeUndefined();
});
