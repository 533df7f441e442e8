// How a chat reads what it is sent, and how foreign text is put into it so that it stays text.
import { endingTags, hidingTags } from './left-open.ts';

/**
 * - `markdown`: CommonMark, with or without HTML: OpenClaw's own renderer, most web clients.
 * - `discord`: marks pair across lines and blocks, so whatever stands in an answer could pair with the same in a block
 *   behind it. Every mark of ours and of foreign text is escaped, and there are no blocks.
 * - `plain`: nothing is markup.
 */
export type Dialect = 'markdown' | 'discord' | 'plain';

/** Words of ours to be copied. Marks of ours in front of a block could pair with what the answer left open there. */
export const literal = (words: string, dialect: Dialect): string =>
  dialect === 'markdown' ? `\`${words}\`` : `"${words}"`;

/** A piece of a line, every character of which is itself. @param text one line, as `exact` makes it */
export function inline(text: string, dialect: Dialect): string {
  switch (dialect) {
    case 'markdown':
      return escaped(text);
    case 'discord':
      // An escaped one pairs there all the same.
      return escaped(text.replaceAll('`', '⟦U+0060⟧'));
    case 'plain':
      return text;
  }
}

const escaped = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** In front of every line of foreign text where there are no blocks, or none that hold. */
export const bar = '│ ';

/**
 * A block that nothing inside can end, and nothing before it can open.
 *
 * @param text as `exact` makes it, with short lines: it has no three backticks in a row, and a block wraps nothing
 */
export function block(text: string, dialect: Dialect): string {
  if (dialect === 'markdown') return `\`\`\`\n${text}\n\`\`\``;
  const lines = text.split('\n').map((line) => `${bar}${inline(line, dialect)}`);
  return lines.join('\n');
}

/**
 * What has to stand between an answer and a paragraph of our own so that the paragraph is one, whatever the answer left
 * open. In doubt it is harmless where nothing was open.
 *
 * @param answer what stands before, in the same message
 */
export const closing = (answer: string, dialect: Dialect): string =>
  dialect === 'markdown' ? closeMarkdown(answer) : '';

/** A line that may begin or end a block, in whatever lists and quotes it stands. */
const fenceLine =
  /^(?<indent>[ \t]*)(?<marks>(?:[>*+\-0-9.)][ \t>*+\-0-9.)]*)?)(?<fence>`{3,}|~{3,})(?<info>.*)$/s;
const htmlLine = /^[ \t>*+\-0-9.)]*</;
const ends: readonly (readonly [begin: RegExp, end: string])[] = [
  [/<!--/, '-->'],
  [/<\?/, '?>'],
  [/<!\[CDATA\[/, ']]>'],
  [/<![a-z]/i, '>'],
  [/<script/i, '</script>'],
  [/<pre/i, '</pre>'],
  [/<style/i, '</style>'],
  [/<textarea/i, '</textarea>'],
];

/**
 * Fences in pairs of one indentation, with everything between indented as deep, are closed whatever else is there; so is
 * a text without fences and HTML. Anything else may be open, and is closed in a way that opens nothing: a fence with a
 * word behind it cannot end a block, and one without it ends either that block or the empty one just begun.
 */
function closeMarkdown(answer: string): string {
  if (isClosed(answer)) return '';
  const html = ends.filter(([begin]) => begin.test(answer)).map(([, end]) => end);
  const fences = ['`', '~'].flatMap((mark) => {
    const longest = longestRun(answer, mark);
    return longest < 3 ? [] : [`${mark.repeat(longest)}end\n${mark.repeat(longest)}`];
  });
  // Last, where no block of code can take them for its own.
  const tags = endingTags(answer);
  return ['', ...(html.length > 0 ? [html.join('\n')] : []), ...fences, ...tags].join('\n\n');
}

function isClosed(answer: string): boolean {
  let open: { indent: string; fence: string } | undefined;
  for (const line of answer.split(/\r\n?|\n/)) {
    const { indent = '', marks = '', fence: run = '', info = '' } = fenceLine.exec(line)?.groups ?? {};
    if (open) {
      const ending = run[0] === open.fence[0] && run.length >= open.fence.length && /^[ \t]*$/.test(info);
      if (/[^ \t]/.test(line) && !line.startsWith(open.indent)) return false;
      if (ending && marks === '' && indent === open.indent) open = undefined;
      else if (ending) return false;
    } else if (run !== '') {
      // In a list item or a quote of its own line, or with a tab, it takes a whole parser to tell.
      if (marks !== '' || indent.includes('\t') || (run[0] === '`' && info.includes('`'))) return false;
      open = { indent, fence: run };
    } else if (htmlLine.test(line) || hidingTags(line).length > 0) return false;
  }
  return open === undefined;
}

function longestRun(text: string, mark: string): number {
  let longest = 0;
  let run = 0;
  for (const char of text) {
    run = char === mark ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
