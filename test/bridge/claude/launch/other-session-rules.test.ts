import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { memoryFolder } from '../../../../src/bridge/claude/launch/memory-folder.ts';
import { otherSessionRules } from '../../../../src/bridge/claude/launch/other-session-rules.ts';

const own = 'a0b1c2d3-1111-4222-8333-444444444444';
const stateDir = '/state';
const claudeFolder = '/home/u/.claude';
const rules = otherSessionRules({ claudeFolder, tmp: '/var/tmp', stateDir, key: 'mine', claude: own });

/** As Claude Code reads a rule: of a folder that is denied everything is. */
function isDenied(path: string, tool = 'Read'): boolean {
  const patterns = rules
    .filter((rule) => rule.startsWith(`${tool}(//`))
    .map((rule) => rule.slice(tool.length + 2, -1));
  const parts = path.split('/');
  const above = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
  return patterns.some((pattern) => above.some((each) => matchesGlob(each, pattern)));
}

const others = [
  'b0b1c2d3-1111-4222-8333-444444444444',
  '90b1c2d3-1111-4222-8333-444444444444',
  'a0b1c0d3-1111-4222-8333-444444444444',
  'a0b1c3d3-1111-4222-8333-444444444444',
];

const of = (id: string) => [
  `${claudeFolder}/projects/-work/${id}.jsonl`,
  `${claudeFolder}/projects/-work/${id}/tool-results/1.txt`,
  `${claudeFolder}/projects/-other/${id}/subagents/agent-1.jsonl`,
  `${claudeFolder}/tasks/${id}/1.json`,
  `${claudeFolder}/file-history/${id}/1@v1`,
  `/var/tmp/claude-1000/-work/${id}/scratchpad/note`,
];

test.each(others)('what the session %s left is denied, its own is not', (other) => {
  for (const path of of(other))
    expect([path, isDenied(path), isDenied(path, 'Edit')]).toEqual([path, true, true]);
  for (const path of of(own))
    expect([path, isDenied(path), isDenied(path, 'Edit')]).toEqual([path, false, false]);
});

test('the memory of another conversation is denied, its own and the shared one of the folder are not', () => {
  const memory = (key: string) => `${stateDir}/${memoryFolder(key)}/MEMORY.md`;
  for (const key of ['yours', 'theirs', 'mine2']) expect([key, isDenied(memory(key))]).toEqual([key, true]);
  expect(isDenied(memory('mine'))).toBe(false);
  expect(isDenied(`${claudeFolder}/projects/-work/memory/MEMORY.md`)).toBe(false);
});

test('what Claude Code keeps of all sessions together is denied, its settings and instructions are not', () => {
  for (const name of ['history.jsonl', 'sessions/7.json', 'sessions/7.key', 'paste-cache/1.txt'])
    expect([name, isDenied(`${claudeFolder}/${name}`)]).toEqual([name, true]);
  for (const name of ['settings.json', 'CLAUDE.md', 'plans/a.md', 'skills/a/SKILL.md'])
    expect([name, isDenied(`${claudeFolder}/${name}`)]).toEqual([name, false]);
});
