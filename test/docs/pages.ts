import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export interface Page {
  /** Path from the root of the repository. */
  path: string;
  text: string;
}

export const page = (path: string): Page => ({ path, text: readFileSync(join(root, path), 'utf8') });

/** Everything written for readers. */
export function allPages(): Page[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
  return ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...docs].map(page);
}

export const sourceFiles = (): Page[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => page(join('src', name)));

/** Everything that tests say, in one text. */
export const testSources = (): string =>
  testFiles('test', true)
    .map((path) => page(path).text)
    .join('\n');

function testFiles(path: string, isFolder: boolean): string[] {
  if (!isFolder) return path.endsWith('.test.ts') ? [path] : [];
  if (path.endsWith('node_modules')) return [];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    testFiles(join(path, entry.name), entry.isDirectory()),
  );
}

/** Without fenced blocks: what is prose, tables and links. */
export const prose = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '');

/** The bodies of the fenced blocks of a language. */
export const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , body]) => body ?? '');

/** The cells of every table row in the part of a page under a heading, header rows included. */
export function rows(text: string, heading: string): string[][] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'));
  if (start === -1) throw new Error(`no heading "${heading}"`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('#'));
  const part = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
  return part
    .filter((line) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Everything in a text that is written as code. */
export const codeIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '');

/** The anchors that GitHub makes of a page's headings. */
export function anchors(text: string): Set<string> {
  const headings = [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

export interface Link {
  from: string;
  /** As written. */
  to: string;
  /** Absolute path of the file it names. */
  file: string;
  anchor: string;
}

/** The links of a page that stay in the repository. */
export function relativeLinks({ path, text }: Page): Link[] {
  return [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to]) => to ?? '')
    .filter((to) => !/^[a-z]+:/.test(to))
    .map((to) => {
      const [target = '', anchor = ''] = to.split('#');
      const file = target === '' ? join(root, path) : resolve(root, path, '..', target);
      return { from: path, to, file, anchor };
    });
}

export const fromRoot = (file: string): string => relative(root, file);
