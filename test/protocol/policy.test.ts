import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PolicyRule } from '../../src/protocol/settings/policy.ts';

const isRule = (given: object) => PolicyRule.safeParse({ decision: 'deny', ...given }).success;

describe('a rule', () => {
  test('needs a decision and nothing else, and what it names is kept without the blanks around it', () => {
    expect(PolicyRule.safeParse({}).success).toBe(false);
    expect(PolicyRule.parse({ decision: 'ask' })).toEqual({ decision: 'ask' });
    const whole = {
      session: 's',
      door: 'agp',
      sender: 'telegram:1',
      tool: ['Bash', 'exec'],
      permission: 'write:*',
      command: 'git push',
      path: '~',
      host: 'x',
      unattended: false,
      decision: { quorum: 2 },
      reason: 'no',
    };
    expect(PolicyRule.parse(whole)).toEqual(whole);
    expect(PolicyRule.parse({ command: ' rm\n', tool: ' Bash', decision: 'deny' })).toEqual({
      command: 'rm',
      tool: 'Bash',
      decision: 'deny',
    });
  });

  test('says of each of its keys what it is about, for editors that show it', () => {
    const schema = z.toJSONSchema(PolicyRule) as {
      description?: string;
      properties: Record<string, { description?: string }>;
    };
    const { decision: _, ...told } = schema.properties;
    expect(schema.description?.length).toBeGreaterThan(10);
    for (const [key, { description = '' }] of Object.entries(told))
      expect([key, description.length > 10]).toEqual([key, true]);
  });

  test('names one tool or permission, or several, but not none', () => {
    for (const key of ['tool', 'permission'])
      expect([isRule({ [key]: 'x' }), isRule({ [key]: ['x', 'y'] }), isRule({ [key]: [] })]).toEqual([
        true,
        true,
        false,
      ]);
  });

  test('with a name that no rule has is none: a misspelt restriction would be a rule for everything', () => {
    expect([isRule({ comand: 'rm' }), isRule({ decision: { quorum: 2, of: ['1'] } })]).toEqual([
      false,
      false,
    ]);
  });

  test.each(['session', 'sender', 'tool', 'command', 'path', 'host', 'reason'])(
    'whose %s is empty is none',
    (field) =>
      expect(['', ' ', 1, null].map((text) => isRule({ [field]: text }))).toEqual(Array(4).fill(false)),
  );

  test('names at least one tool where it names several', () => {
    expect([[], [''], ['Bash']].map((tool) => isRule({ tool }))).toEqual([false, false, true]);
  });

  test('names one of the doors', () => {
    for (const door of ['openai', 'agp', 'operator', 'adopted'])
      expect([door, isRule({ door })]).toEqual([door, true]);
    expect([isRule({ door: '' }), isRule({ door: 'chat' }), isRule({ unattended: 'yes' })]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('decides in one of five ways, with two to twenty people for a quorum', () => {
    for (const decision of ['allow', 'ask', 'deny', 'operator', { quorum: 2 }, { quorum: 20 }])
      expect([decision, isRule({ decision })]).toEqual([decision, true]);
    for (const decision of ['', 'leave', {}, { quorum: 1 }, { quorum: 21 }, { quorum: 2.5 }])
      expect([decision, isRule({ decision })]).toEqual([decision, false]);
  });

  test('says of everything that it can hold what it is, for editors and for the reference', () => {
    type Node = { description?: string; anyOf?: Node[]; properties?: Record<string, Node> };
    const schema = z.toJSONSchema(PolicyRule) as Node;
    const { decision, ...others } = schema.properties ?? {};
    const needs = (decision?.anyOf ?? []).flatMap(({ anyOf }) => anyOf ?? []);
    const said = [schema, ...Object.values(others), ...needs].map(({ description }) => description);
    expect(said).toHaveLength(14);
    for (const words of said) expect(words).toMatch(/^\S.*\.$/);
  });
});
