// What a maintainer reads when a newer release is not as recorded: what changed, where our code depends on it, what to do.
import { type Change, changesBetween, notCompared } from './changes.ts';
import { type Peer, peers, type Recording } from './recording.ts';

/** Area of a change → where our code depends on it, most likely place first. */
export const places: Readonly<Record<Peer, Readonly<Record<string, readonly string[]>>>> = {
  'claude-code': {
    tool: [
      'src/bridge/ingress/agp/tool-call.ts',
      'src/bridge/claude/launch/launch-settings.ts',
      'src/bridge/policy',
    ],
    'deferred tool': ['src/bridge/claude/launch/launch-settings.ts', 'src/bridge/policy'],
    hook: ['src/bridge/claude/hooks/hook-schema.ts', 'src/bridge/claude/turn', 'src/demo/claude/hooks'],
    'hook event': ['src/bridge/claude/launch/launch-settings.ts', 'src/bridge/claude/hooks'],
    'hook field': ['src/bridge/claude/hooks/hook-schema.ts', 'src/bridge/claude/turn'],
    'status line': ['src/bridge/claude/hooks/agent-status.ts', 'src/demo/claude/screen/status-line.ts'],
    screen: ['src/bridge/claude/screen/dialog-table.ts', 'src/bridge/claude/screen/screen-reader.ts'],
    setting: ['src/bridge/claude/launch/launch-settings.ts', 'src/bridge/doctor/claude', 'docs/security.md'],
    'part of a setting': [
      'src/bridge/claude/launch/launch-settings.ts',
      'src/bridge/claude/launch/own-file-rules.ts',
    ],
    'environment variable': [
      'src/bridge/claude/launch/child-env.ts',
      'src/bridge/claude/launch/launch-spec.ts',
    ],
    'command line flag': ['src/bridge/claude/launch/launch-spec.ts', 'src/bridge/claude/one-shots.ts'],
    default: ['src/bridge/claude/launch', 'src/bridge/claude/turn', 'docs/security.md'],
    'part of the prompt': ['docs/security.md', 'src/bridge/claude/launch/launch-spec.ts'],
    'API feature': ['test/real/support/messages-api.ts'],
    request: ['test/real/support/messages-request.ts'],
    'request at the start': ['test/real/support/messages-api.ts', 'src/bridge/claude/launch/child-env.ts'],
  },
  openclaw: {
    tool: ['src/bridge/ingress/openai/catalogs.ts', 'src/bridge/policy'],
    headers: ['src/bridge/ingress/openai/identity', 'src/bridge/openclaw/provider-entry.ts'],
    body: ['src/bridge/ingress/openai/request', 'src/bridge/ingress/openai/input'],
  },
};

export interface WatchReport {
  /** Whether the newer release shows exactly what is recorded. */
  asRecorded: boolean;
  words: string;
}

/** Compares a newer release with the recorded one. @param after undefined when the recording did not end */
export function watchReport(peer: Peer, before?: Recording, after?: Recording): WatchReport {
  if (!before || !after) return { asRecorded: false, words: notCompared(peers[peer], before) };
  const changes = changesBetween(before, after);
  const releases = `${peers[peer]} ${after.version}, compared with the recorded ${before.version}`;
  if (changes.length === 0) return { asRecorded: true, words: `${releases}: as recorded.` };
  const count = changes.length === 1 ? '1 difference' : `${changes.length} differences`;
  const areas = Object.entries(Object.groupBy(changes, ({ area }) => area));
  return {
    asRecorded: false,
    words: [
      `${releases}: ${count}.`,
      ...areas.map(([area, inArea = []]) => section(peer, area, inArea)),
      advice,
    ].join('\n\n'),
  };
}

function section(peer: Peer, area: string, changes: readonly Change[]): string {
  const where = places[peer][area] ?? ['(test/recorded/watch-report.ts names no place for this yet)'];
  return [
    `${area[0]?.toUpperCase()}${area.slice(1)}`,
    ...changes.map(({ words }) => `  ${words}`),
    `  Look at: ${where.join(', ')}`,
  ].join('\n');
}

const advice = `What to do
  1. Decide for each line whether the bridge has to use it, forbid it or ignore it, and change the code at the places named.
  2. Run "npm run test:real -- --latest": all tests against this release.
  3. Accept it: move the pin, then run "npm run test:real -- --record". docs/decisions/0020-the-peers-are-recorded.md lists the steps.`;
