// Each rule of secretlint that is used here, by the name that its find is given.
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { linted } from '../../src/secrets/linted.ts';
import { type PublishedKind, secretlint } from './published-kinds.ts';
import { word } from './samples.ts';

const sampleOf = (rule: string): PublishedKind['sample'] =>
  secretlint.find((each) => each.rule === rule)?.sample;

/** Where secretlint, or what this adds to it, leaves out the sample that is published for the kind. */
const own: Readonly<Record<string, string>> = {
  basicauth: `https://ada:${word(12)}@git.lan.net`,
  '1password': `ops${'_'}${Buffer.from(JSON.stringify({ a: word(239) })).toString('base64')}`,
  cloudflare: `cf${'ut_'}${word(40)}${'1a2b3c4d'}`,
};

test.each([
  ['aws', 'AWS secret key'],
  ['npm', 'npm token'],
  ['basicauth', 'password in an address'],
  ['slack', 'Slack token'],
  ['shopify', 'Shopify token'],
  ['stripe', 'Stripe key'],
  ['gitlab', 'GitLab token'],
  ['grafana', 'Grafana token'],
  ['openai', 'OpenAI key'],
  ['anthropic', 'Anthropic key'],
  ['groq', 'Groq key'],
  ['huggingface', 'Hugging Face token'],
  ['linear', 'Linear token'],
  ['notion', 'Notion token'],
  ['1password', '1Password token'],
  ['database-connection-string', 'password in an address'],
  ['hashicorp-vault', 'Vault token'],
  ['vercel', 'Vercel token'],
  ['databricks', 'Databricks token'],
  ['docker', 'Docker token'],
  ['figma', 'Figma token'],
  ['cloudflare', 'Cloudflare token'],
  ['tailscale', 'Tailscale key'],
])('what the rule %s finds is a %s', (rule, kind) => {
  const text = own[rule] ?? sampleOf(rule)?.text ?? '';
  const found = linted(`# Note\n\n${text} there\n`);
  expect(found.map((each) => each.kind)).toEqual([kind]);
});

test('tells where a find is', () => {
  const token = sampleOf('npm')?.text ?? '';
  expect(linted(`My key:\n${token}\nMore, for example`)).toEqual([
    { start: 8, end: 8 + token.length, kind: 'npm token' },
  ]);
});

const ruleOf = (name: string) => {
  const rule = rules.find(({ meta }) => meta.id === `@secretlint/secretlint-rule-${name}`);
  if (!rule) throw new Error(`no rule ${name}`);
  return rule;
};

afterEach(() => vi.restoreAllMocks());

test.each(['gcp', 'github', 'sendgrid', 'filter-comments'])('does not use the rule %s', (name) => {
  const create = vi.spyOn(ruleOf(name), 'create');
  const used = vi.spyOn(ruleOf('npm'), 'create');
  linted('# Note');
  expect(create).not.toHaveBeenCalled();
  expect(used).toHaveBeenCalledOnce();
});

describe('a rule', () => {
  type Rule = ReturnType<typeof ruleOf>;
  type Handler = ReturnType<Rule['create']>;
  type Source = Parameters<NonNullable<Handler['file']>>[0];
  const own = ruleOf('npm');
  const as = (create: (context: Parameters<Rule['create']>[0]) => Handler) =>
    vi.spyOn(own, 'create').mockImplementation(create);

  test('is told that it reads a text, which is no file of settings and has no places', () => {
    const seen: Source[] = [];
    as(() => ({ file: (source) => void seen.push(source) }));
    linted('# Note');
    expect(seen).toMatchObject([
      { content: '# Note', contentType: 'text', filePath: 'note.md', ext: '.md', hasBOM: false },
    ]);
    const [source] = seen;
    const nowhere = { line: 0, column: 0 };
    expect(source?.getFilePath()).toBe('note.md');
    expect(source?.getPhysicalFilePath()).toBeUndefined();
    expect(source?.locationToRange({ start: nowhere, end: nowhere })).toEqual([0, 0]);
    expect(source?.rangeToLocation([0, 1])).toEqual({ start: nowhere, end: nowhere });
    expect(source?.positionToIndex(nowhere)).toBe(0);
    expect(source?.indexToPosition(1)).toEqual(nowhere);
  });

  test('is given no words for what it finds', () => {
    const told: unknown[] = [];
    as((context) => {
      told.push(context.createTranslator({ FOUND: { en: () => 'found' } })('FOUND'));
      return {};
    });
    linted('# Note');
    expect(told).toEqual([{ message: '', messageId: 'FOUND', data: undefined }]);
  });

  test('that is not known finds a token', () => {
    const { id } = own.meta;
    const text = sampleOf('npm')?.text ?? '';
    own.meta.id = `${id}-of-tomorrow`;
    try {
      expect(linted(text).map(({ kind }) => kind)).toEqual(['token']);
    } finally {
      own.meta.id = id;
    }
  });

  test('that answers later is refused, as what it finds would be lost', () => {
    as(() => ({ file: () => Promise.resolve() }));
    expect(() => linted('# Note')).toThrow('@secretlint/secretlint-rule-npm answers later');
  });
});

test('leaves out what stands in for a secret', () => {
  const login = (host: string) => linted(`https://ada:${word(12)}@${host}/`);
  expect(login('git.lan.net')).toHaveLength(1);
  expect(login('git.example.org')).toEqual([]);
});
