// What a chat makes of a message: for each dialect, by a reader of that dialect, the blocks of code with the text around.
import { parse } from 'discord-markdown-parser';
import MarkdownIt from 'markdown-it';

export interface Read {
  /** What stands in blocks of code, each to the letter, in order. */
  blocks: string[];
  /** Everything else that is seen. */
  prose: string;
}

const commonmark = {
  plain: new MarkdownIt({ html: false, linkify: true }),
  html: new MarkdownIt({ html: true, linkify: true }),
};

export function readMarkdown(text: string, html: boolean): Read {
  const tokens = (html ? commonmark.html : commonmark.plain).parse(text, {});
  const top = tokens.filter(({ level }) => level === 0);
  const inline = tokens.filter(({ type }) => type === 'inline').flatMap(({ children }) => children ?? []);
  return {
    blocks: top.filter(({ type }) => type === 'fence').map(({ content }) => content.replace(/\n$/, '')),
    prose: inline
      .map(({ type, content }) =>
        type === 'softbreak' || type === 'hardbreak' ? '\n' : type === 'html_inline' ? '' : content,
      )
      .join(''),
  };
}

interface Node {
  type: string;
  name?: string;
  content?: string | Node[];
}

/** Text on the top: what is bold, folded away, a link or code there is none. Its blocks are the lines behind bars. */
export function readDiscord(text: string): Read {
  const nodes = parse(text, 'normal') as unknown as Node[];
  return readBarred(nodes.map((node) => (isText(node) ? proseOf(node) : '⟪markup⟫')).join(''));
}

const isText = ({ type }: Node) => ['text', 'br', 'newline', 'twemoji'].includes(type);

export function readBarred(text: string): Read {
  const runs = [...text.matchAll(/(?:^│ [^\n]*(?:\n|$(?![\s\S])))+/gm)].map(([run]) =>
    run.replace(/\n$/, ''),
  );
  const blocks = runs.map((run) =>
    run
      .split('\n')
      .map((line) => line.slice(2))
      .join('\n'),
  );
  const prose = text.split('\n').filter((line) => !line.startsWith('│ '));
  return { blocks, prose: prose.join('\n') };
}

const proseOf = ({ type, name, content }: Node): string => {
  if (type === 'twemoji') return name ?? '';
  if (type === 'br' || type === 'newline') return '\n';
  return typeof content === 'string' ? content : (content ?? []).map(proseOf).join('');
};

/** Telegram's old `Markdown` mode: three backticks begin and end a block, and nothing is escaped inside. */
export function readTelegram(text: string): Read {
  const blocks = [...text.matchAll(/```([\s\S]*?)```/g)].map(([, inside = '']) =>
    inside.replace(/^\n|\n$/g, ''),
  );
  return { blocks, prose: text.replace(/```[\s\S]*?```/g, '') };
}
