// The documentation says what the code does; these fail when one of the two moves on without the other.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { controlParams } from '../../src/bridge/control/control-schema.ts';
import * as faults from '../../src/bridge/ingress/openai/errors.ts';
import { providerPatch } from '../../src/bridge/openclaw/provider-entry.ts';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { program } from '../../src/cli/program.ts';
import { emptySession } from '../../src/domain/state/session.ts';
import { controlErrors } from '../../src/domain/views/control-errors.ts';
import { sessionRow } from '../../src/domain/views/session/session-row.ts';
import { problemText } from '../../src/domain/words/problem-text.ts';
import { FailureCode } from '../../src/protocol/events/failures.ts';
import { Config } from '../../src/protocol/settings/config.ts';
import {
  allPages,
  anchors,
  blocks,
  codeIn,
  fromRoot,
  page,
  relativeLinks,
  rows,
  sourceFiles,
  testSources,
} from './pages.ts';

const cli = page('docs/reference/cli.md').text;
const http = page('docs/reference/http.md').text;
const config = page('docs/reference/config.md').text;
const readme = page('README.md').text;

const firstCells = (heading: string, text: string) =>
  rows(text, heading).flatMap(([cell = '']) => codeIn(cell));
const missing = (wanted: readonly string[], text: string) => {
  const known = codeIn(text);
  return wanted.filter((each) => !known.includes(each));
};

test('every relative link names a file that exists, and a heading that it has', () => {
  const links = allPages().flatMap(relativeLinks);
  expect(links.length).toBeGreaterThan(40);
  const broken = links.filter(({ file, anchor }) => {
    if (!existsSync(file)) return true;
    return anchor !== '' && !anchors(page(fromRoot(file)).text).has(anchor);
  });
  expect(broken.map(({ from, to }) => `${from}: ${to}`)).toEqual([]);
});

test('the table of exit codes is the code’s, no more and no less', () => {
  const table = rows(cli, 'Exit codes')
    .slice(1)
    .map(([code = '', name = '']) => [name.replaceAll('`', ''), Number(code)]);
  expect(Object.fromEntries(table)).toEqual(exitCodes);
});

test('every way in which a turn can fail is listed, and nothing else', () => {
  const listed = firstCells('When a turn ends without an answer', http);
  expect(listed.sort()).toEqual([...FailureCode.options].sort());
});

const everyFault: Record<string, faults.HttpFault[]> = {
  notForClaude: [faults.notForClaude({ why: 'a test', from: 'pts/1' })],
  invalidJson: [faults.invalidJson()],
  invalidRequest: [faults.invalidRequest('x')],
  modelNotFound: [faults.modelNotFound('x', [])],
  previousNotFound: [faults.previousNotFound('x', 'Why.')],
  previousSuperseded: [faults.previousSuperseded('x', undefined)],
  previousElsewhere: [faults.previousElsewhere('x')],
  responseNotFound: [faults.responseNotFound('x', 'Why.')],
  notCancellable: [faults.notCancellable('x')],
  unauthorized: [faults.unauthorized(false), faults.unauthorized(true)],
  tokenExpired: [faults.tokenExpired({ id: 'x', scopes: [] }, 0)],
  scopeMissing: [faults.scopeMissing({ id: 'x', scopes: [] }, ['chat'])],
  sessionOutside: [faults.sessionOutside('x')],
  diskFailed: [faults.diskFailed()],
  notStored: [faults.notStored({ keeper: 'disk' }), faults.notStored({ keeper: 'copies' })],
  bodyTooLarge: [faults.bodyTooLarge(1)],
  wrongContentType: [faults.wrongContentType(undefined)],
  originRefused: [faults.originRefused()],
  hostRefused: [faults.hostRefused()],
  notFound: [faults.notFound('GET', '/x', [])],
  methodNotAllowed: [faults.methodNotAllowed('POST')],
  unanswered: [faults.unanswered('x')],
  tooBusy: [faults.tooBusy(1)],
};

test('every refusal that the bridge sends stands in the table with its status and type', () => {
  const makers = Object.keys(faults).filter((name) => name !== 'read' && name !== 'refuse');
  expect(Object.keys(everyFault).sort()).toEqual(makers.sort());
  const bridge = sourceFiles().filter(
    ({ path }) => path.startsWith('src/bridge/') && !path.endsWith('errors.ts'),
  );
  const imports = bridge.flatMap(
    ({ text }) => text.match(/import \{[^}]*\} from '[^']*\/errors\.ts'/g) ?? [],
  );
  const sent = makers
    .filter((name) => imports.some((line) => line.includes(name)))
    .flatMap((name) => everyFault[name] ?? [])
    .map(({ status, body }) => `${status} ${body.error.code} ${body.error.type}`);
  const listed = rows(http, 'Errors')
    .slice(1)
    .map((cells) => cells.slice(0, 3).join(' ').replaceAll('`', ''));
  expect(listed.sort()).toEqual(sent.sort());
});

interface Setting {
  properties?: Record<string, Setting>;
  items?: Setting;
  default?: unknown;
}

/** Path of every setting → its default, `undefined` for none. */
function settings(schema: Setting, path: string): [string, unknown][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]): [string, unknown][] => {
    const here = path === '' ? key : `${path}.${key}`;
    if (inner.properties) return settings(inner, here);
    return [[here, inner.default], ...(inner.items ? settings(inner.items, `${here}[]`) : [])];
  });
}

const allSettings = settings(z.toJSONSchema(Config, { io: 'input' }) as Setting, '');

test('every key of the configuration is documented, and no other', () => {
  const listed = [
    ...firstCells('Keys', config),
    ...rows(config, 'Policy').flatMap(([cell = '']) => codeIn(cell)),
    ...rows(config, 'Profiles').flatMap(([cell = '']) => codeIn(cell)),
    ...rows(config, 'Gateways').flatMap(([cell = '']) => codeIn(cell)),
    ...rows(config, 'Providers').flatMap(([cell = '']) => codeIn(cell)),
  ];
  expect(listed.sort()).toEqual(allSettings.map(([key]) => key).sort());
});

test('every default of the configuration is the one the table says', () => {
  const told = new Map(rows(config, 'Keys').map(([key = '', value = '']) => [key, value]));
  const wrong = allSettings
    .filter(([key]) => !key.includes('[]'))
    .map(([key, value]) => [key, value === undefined ? 'none' : `\`${JSON.stringify(value)}\``])
    .filter(([key, value]) => told.get(`\`${key}\``) !== value);
  expect(wrong).toEqual([]);
});

test('the example configuration is valid', () => {
  const examples = blocks(config, 'json');
  expect(examples).toHaveLength(1);
  for (const example of examples) Config.parse(JSON.parse(example));
});

test('every environment variable of ours is documented', () => {
  const named = sourceFiles().flatMap(({ text }) => text.match(/\bSYNTHESIS_[A-Z_]*[A-Z]\b/g) ?? []);
  const wanted = [...new Set(named)];
  expect(wanted.length).toBeGreaterThan(8);
  const wire = codeIn(page('docs/wire-protocol.md').text).map((code) => code.split('=')[0] ?? '');
  const known = new Set([...codeIn(config), ...wire]);
  expect(wanted.filter((name) => !known.has(name))).toEqual([]);
});

const hidden = ['channel', 'complete'];
const commands = program().commands.filter((command) => !hidden.includes(command.name()));

test('every command is in the README’s table and in the reference', () => {
  const inReadme = codeIn(rows(readme, 'Commands').flat().join(' ')).map((code) => code.split(' ')[1]);
  const inReference = [...cli.matchAll(/^### (.+)$/gm)].flatMap(
    ([, heading]) => heading?.match(/\b[a-z]+\b/g) ?? [],
  );
  const names = commands.map((command) => command.name());
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !inReadme.includes(name))).toEqual([]);
  expect(names.filter((name) => !inReference.includes(name))).toEqual([]);
});

test('no command is documented that does not exist', () => {
  const names = new Set(program().commands.map((command) => command.name()));
  const told = allPages()
    .filter(({ path }) => !path.includes('decisions'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:`|^|\s)synthesis ([a-z]+)(?=[\s`])/gm)].map(([, name = '']) => ({ path, name })),
    )
    .filter(
      ({ path, name }) =>
        !names.has(name) && !/^(?:lets|runs|is|never|needs|does|bridge)$/.test(name) && path !== '',
    );
  expect(told).toEqual([]);
});

test('every flag is in the reference', () => {
  const flags = commands.flatMap((command) => command.options.map((option) => option.long ?? ''));
  const known = codeIn(cli).flatMap((code) => code.match(/--[a-z-]+/g) ?? []);
  expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
});

test('every error code that a script can see is in the reference', () => {
  const own = sourceFiles()
    .filter(({ path }) => path.startsWith('src/cli/'))
    .flatMap(({ text }) =>
      [...text.matchAll(/new CliError\(\s*'\w+',\s*'(\w+)'/g)].map(([, code]) => code ?? ''),
    );
  const starting = sourceFiles().flatMap(({ path, text }) =>
    path.endsWith('journal-error.ts')
      ? (/JournalErrorCode =([^;]+);/.exec(text)?.[1]?.match(/\w+/g) ?? [])
      : [...text.matchAll(/new BridgeStartError\(\s*([^,]+),/g)].flatMap(
          ([, code]) => code?.match(/(?<=')[a-z]+_\w+(?=')/g) ?? [],
        ),
  );
  expect(own.length).toBeGreaterThan(3);
  expect(starting.length).toBeGreaterThan(4);
  const wanted = [...own, ...starting.filter((code) => code !== 'code'), ...Object.keys(controlErrors)];
  expect(missing([...new Set(wanted)], rows(cli, 'Errors').flat().join(' '))).toEqual([]);
});

test('every method and error of the control socket is in its reference, and no other', () => {
  const control = page('docs/reference/control.md').text;
  expect(firstCells('Methods', control).sort()).toEqual(Object.keys(controlParams()).sort());
  const listed = rows(control, 'Errors')
    .slice(1)
    .map(([code = '', number = '']) => [code.replaceAll('`', ''), Number(number)]);
  expect(Object.fromEntries(listed)).toEqual(controlErrors);
});

test('every field of `ps --json` is in the reference, and no other', () => {
  const fields = Object.keys(sessionRow(emptySession('k'), 'id'));
  expect(firstCells('ps --json', cli).sort()).toEqual(fields.sort());
});

test('every npm script that the README names exists', () => {
  const scripts = JSON.parse(page('package.json').text) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm (?:run ([\w:-]+)|(test)\b)/g)].map(
    ([, run, short = '']) => run ?? short,
  );
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !(name in scripts.scripts))).toEqual([]);
});

test('the guide shows by hand what `openclaw install` merges, with the default port', () => {
  const shown = blocks(page('docs/guides/connect-openclaw.md').text, 'json').at(-1) ?? '';
  const tokenFile = '/home/alice/.local/state/synthesis/token';
  const url = `http://127.0.0.1:${Config.parse({}).port}`;
  expect(JSON.parse(shown)).toEqual(providerPatch({ url, tokenFile }));
});

test('every JSON example is JSON', () => {
  const examples = allPages()
    .filter(({ path }) => !path.endsWith('wire-protocol.md'))
    .flatMap(({ text }) => blocks(text, 'json'));
  expect(examples.length).toBeGreaterThan(4);
  for (const example of examples) expect(() => JSON.parse(example)).not.toThrow();
});

describe('troubleshooting', () => {
  const { text } = page('docs/guides/troubleshooting.md');
  const ownWords = text.replace(/^## In OpenClaw's words$[\s\S]*?(?=^## )/m, '');
  const bold = [...ownWords.matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, words = '']) => words);
  /** As the source has it: without the escapes of its string literals. */
  const source = [...sourceFiles(), page('bin/synthesis.js')]
    .map((file) => file.text.replace(/\\(['`"])/g, '$1'))
    .join('\n')
    .toLowerCase();

  test('quotes only words that the program has', () => {
    const quotes = bold.flatMap((words) => [...words.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote));
    expect(quotes.length).toBeGreaterThan(50);
    const unknown = quotes.filter((quote) => {
      const parts = quote.split('…').map((part) => part.toLowerCase());
      return parts.join('').trim().length < 8 || parts.some((part) => !source.includes(part));
    });
    expect(unknown).toEqual([]);
  });

  test('names only codes and states that the program has', () => {
    const codes = bold.flatMap((words) =>
      [...words.matchAll(/^(?:State )?`(\w+)`/g)].map(([, code]) => code),
    );
    expect(codes.length).toBeGreaterThan(4);
    expect(codes.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });

  test('has every sentence with which a turn can end in a chat', () => {
    const sentences = FailureCode.options.map((code) => /^⚠️ ([^.]+)\./.exec(problemText(code))?.[1] ?? code);
    const absent = sentences.filter((sentence) => {
      const [head = ''] = sentence.split(', so ');
      return !bold.some((words) => words.includes(head));
    });
    expect(absent).toEqual([]);
  });
});

test('every test that the security page names is there, under that title', () => {
  const { text } = page('docs/security.md');
  const titles = [...text.matchAll(/"([^"]{20,})"/g)].map(([, title = '']) => title);
  expect(titles.length).toBeGreaterThan(50);
  const tests = testSources();
  expect(titles.filter((title) => !tests.includes(title))).toEqual([]);
});

test('the security page answers T1 to T26, each in a row', () => {
  const [, ...answered] = rows(page('docs/security.md').text, 'The threats of a bridge on loopback');
  expect(answered.map(([number]) => number)).toEqual(Array.from({ length: 26 }, (_, at) => `T${at + 1}`));
});

test('each of 40 ways of Claude’s shell to a decision is held by a test, or admitted', () => {
  const [, ...ways] = rows(page('docs/security.md').text, 'Who may decide');
  expect(ways.length).toBeGreaterThanOrEqual(40);
  const isSaid = (words: string) =>
    /\bnot held\b/.test(words) ||
    (/\b(?:held|decides nothing)\b/.test(words) &&
      /"|same test|see below|gives its shell no terminal/.test(words));
  expect(ways.filter(([, words = '']) => !isSaid(words))).toEqual([]);
});
