import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type Peer, peers, type Recording, readRecording } from './recording.ts';
import { places, watchReport } from './watch-report.ts';

const root = resolve(import.meta.dirname, '../..');

function recorded(peer: Peer): Recording {
  const recording = readRecording(peer);
  if (!recording) throw new Error(`nothing is recorded of ${peer}`);
  return recording;
}

const pinned = recorded('claude-code');

/** The next release, made up: with `change` made to what the pinned one shows. */
function nextRelease(change: (next: Recording) => void): Recording {
  const next = structuredClone(pinned);
  next.version = '9.9.9';
  change(next);
  return next;
}

test('a newer release that shows what is recorded passes', () => {
  expect(
    watchReport(
      'claude-code',
      pinned,
      nextRelease(() => undefined),
    ),
  ).toEqual({
    asRecorded: true,
    words: `@anthropic-ai/claude-code 9.9.9, compared with the recorded ${pinned.version}: as recorded.`,
  });
});

test.each<[what: string, change: (next: Recording) => void, words: string, place: string]>([
  [
    'an unknown tool',
    ({ tools }) => {
      tools.Teleport = '000000000000';
    },
    'the tool Teleport is new',
    'src/bridge/ingress/agp/tool-call.ts',
  ],
  [
    'a tool with another input',
    ({ tools }) => {
      tools.Agent = '000000000000';
    },
    'the tool Agent takes another input',
    'src/bridge/ingress/agp/tool-call.ts',
  ],
  [
    'an unknown field in a hook that was seen',
    ({ shapes }) => {
      shapes['hook Stop'] = { ...shapes['hook Stop'], mood: 'string' };
    },
    'hook Stop: mood is new',
    'src/bridge/claude/hooks/hook-schema.ts',
  ],
  [
    'an unknown field in a hook that was not seen',
    ({ names }) => names['hook field']?.push('Setup.mood'),
    'the hook field Setup.mood is new',
    'src/bridge/claude/hooks/hook-schema.ts',
  ],
  [
    'an unknown environment variable',
    ({ names }) => names['environment variable']?.push('CLAUDE_CODE_DISABLE_GRAVITY'),
    'the environment variable CLAUDE_CODE_DISABLE_GRAVITY is new',
    'src/bridge/claude/launch/child-env.ts',
  ],
  [
    'a flag that is gone',
    ({ names }) => {
      const flags = names['command line flag'] ?? [];
      flags.splice(flags.indexOf('--strict-mcp-config'), 1);
    },
    'the command line flag --strict-mcp-config is gone',
    'src/bridge/claude/launch/launch-spec.ts',
  ],
  [
    'another default',
    ({ defaults }) => {
      defaults['tool SendMessage'] = 'offered';
    },
    'the default tool SendMessage is offered, was behind the tool search',
    'docs/security.md',
  ],
])('%s fails, and the report says it, where to look and how to accept it', (_, change, words, place) => {
  const report = watchReport('claude-code', pinned, nextRelease(change));
  expect(report.asRecorded).toBe(false);
  expect(report.words).toContain(`compared with the recorded ${pinned.version}: 1 difference.`);
  const lines = report.words.split('\n');
  const at = lines.indexOf(`  ${words}`);
  expect(lines[at + 1]).toMatch(/^ {2}Look at: /);
  expect(lines[at + 1]).toContain(place);
  expect(report.words).toContain('npm run test:real -- --record');
});

test('differences of one area stand together', () => {
  const { words } = watchReport(
    'claude-code',
    pinned,
    nextRelease(({ tools, names, defaults }) => {
      tools.Teleport = 'a';
      tools.Beam = 'b';
      names.setting?.push('gravity');
      defaults.gravity = 'on';
    }),
  );
  expect(words).toContain('4 differences.');
  expect(words.match(/^[A-Z]\w*$/gm)).toEqual(['Tool', 'Setting', 'Default']);
});

test('a recording that did not end is a failure, not a pass', () => {
  expect(watchReport('claude-code', pinned, undefined)).toMatchObject({ asRecorded: false });
  expect(watchReport('openclaw', undefined, pinned)).toMatchObject({ asRecorded: false });
});

test('an area without a place in our code is said to have none', () => {
  const report = watchReport(
    'claude-code',
    pinned,
    nextRelease(({ names }) => Object.assign(names, { spell: ['abra'] })),
  );
  expect(report.words).toContain('Look at: (test/recorded/watch-report.ts names no place for this yet)');
});

test.each(Object.keys(peers) as Peer[])(
  'everything that is recorded of %s has a place in our code that exists',
  (peer) => {
    const { shapes, names, screens, defaults } = recorded(peer);
    const kinds = Object.keys(shapes).map((name) => /^(hook|headers|body)\b/.exec(name)?.[0] ?? name);
    const areas = ['tool', ...kinds, ...Object.keys(names)];
    if (Object.keys(screens).length > 0) areas.push('screen');
    if (Object.keys(defaults).length > 0) areas.push('default');
    const known = places[peer];
    expect(areas.filter((area) => known[area] === undefined)).toEqual([]);
    expect(
      Object.values(known)
        .flat()
        .filter((path) => !existsSync(resolve(root, path))),
    ).toEqual([]);
  },
);
