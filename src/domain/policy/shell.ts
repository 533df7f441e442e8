// A shell command as the simple commands that it may run, word by word. Nothing is expanded; what cannot be known
// without running it stays unknown.
import {
  type Assignment,
  type Command,
  type For,
  forEachChild,
  type ParameterExpansionPart,
  parse,
  type Redirection,
  type SyntaxNode,
} from 'unbash';
import { literal, type Piece, piecesOf, type ShellWord, wordOf } from './shell-word.ts';

export interface SimpleCommand {
  /** Program and arguments; empty for a bare assignment or the redirections of a group. */
  words: readonly ShellWord[];
  /** Files it reads or writes by redirection. */
  redirects: readonly { word: ShellWord; writes: boolean; empties?: boolean }[];
  /** `NAME=value` before the program. */
  assigned: readonly { name: string; value: ShellWord }[];
  /** The text that it is given to read: `cat <<EOF`. */
  told?: string;
  /** Its redirections are those of commands that stand for themselves. */
  group?: true;
}

/** Longest command that is taken apart, characters; parsing is linear, and no person reads more. */
const longest = 20_000;
const mostCommands = 500;
const mostWords = 1_000;
/** Variables that mean a place; once the command itself sets one, it means anything. */
const places = new Set(['HOME', 'PWD']);

/** @returns undefined for what is no whole command: then nothing can be said about it */
export function simpleCommands(command: string): SimpleCommand[] | undefined {
  if (command.length > longest || command.includes('\0')) return undefined;
  const found: SimpleCommand[] = [];
  try {
    if (!collect(parse(command), found)) return undefined;
  } catch {
    // It tells what it cannot read, however deep; should it ever throw, nothing can be said either.
    return undefined;
  }
  if (found.reduce((sum, { words }) => sum + words.length, 0) > mostWords) return undefined;
  const moved = found.some(({ assigned }) => assigned.some(({ name }) => places.has(name)));
  return moved ? found.map(withoutPlaces) : found;
}

function collect(node: SyntaxNode, found: SimpleCommand[]): boolean {
  if ('errors' in node && node.errors?.length) return false;
  // Claude Code may use zsh, for which `*(e:'rm x':)` and `${(e)x}` are code; bash refuses both.
  if (node.type === 'ExtendedGlob') return false;
  if (node.type === 'ParameterExpansion' && node.operation?.type === 'Unknown') return false;
  // `${x@P}` runs what a variable says, `${!x}` what stands in the brackets of a name.
  if (node.type === 'ParameterExpansion' && runsVariable(node)) found.push(unknownCommand);
  if (node.type === 'Command') found.push(simple(node));
  if (node.type === 'Redirected')
    found.push({ words: [], assigned: [], redirects: redirectsOf(node.redirects), group: true });
  if (found.length > mostCommands) return false;
  const from = found.length;
  let whole = true;
  forEachChild(node, (child) => {
    whole &&= collect(child, found);
  });
  if (node.type === 'For') found.splice(from, Number.POSITIVE_INFINITY, ...inLoop(node, found.slice(from)));
  return whole;
}

function simple(command: Command): SimpleCommand {
  const assigned = [...command.prefix, ...command.args].filter(
    (each): each is Assignment => each.type === 'Assignment',
  );
  return {
    words: command.name ? [command.name, ...command.args].map(argument) : [],
    redirects: redirectsOf(command.redirects),
    ...toldOf(command.redirects),
    assigned: assigned.map(({ name, value }) => ({
      name,
      value: value.type === 'Word' ? wordOf(value) : unknownWord,
    })),
  };
}

/** In `for f in src/*.ts`, `"$f"` is one of those, unless something else gives it a value. */
function inLoop({ name, wordlist }: For, body: readonly SimpleCommand[]): SimpleCommand[] {
  const [only, ...others] = (wordlist ?? []).map(wordOf);
  const set = body.some(
    ({ words, assigned }) =>
      assigned.some((each) => each.name === name.value) || words.some((word) => literal(word) === name.value),
  );
  if (!only || others.length > 0 || set) return [...body];
  return body.map((command) =>
    withPieces(command, (piece) =>
      piece.kind === 'unknown' && piece.quoted && piece.variable === name.value ? only.pieces : [piece],
    ),
  );
}

function runsVariable({ prefix, index, operation }: ParameterExpansionPart): boolean {
  const keys = index !== undefined && (index.text === '@' || index.text === '*');
  return operation?.type === 'Transform' || (prefix === '!' && operation?.type !== 'Names' && !keys);
}

const unknownWord: ShellWord = { pieces: [{ kind: 'unknown' }] };
const unknownCommand: SimpleCommand = { words: [unknownWord], redirects: [], assigned: [] };

function argument(each: NonNullable<Command['name']> | Assignment): ShellWord {
  if (each.type === 'Word') return wordOf(each);
  const value: readonly Piece[] = each.value.type === 'Word' ? piecesOf(each.value) : unknownWord.pieces;
  // It stays one word, as all of `export` do.
  const whole = value.map((piece) =>
    piece.kind === 'unknown' ? { ...piece, quoted: true as const } : piece,
  );
  return { pieces: [{ kind: 'text', value: `${each.name}=` }, ...whole] };
}

function toldOf(redirects: readonly Redirection[]): Pick<SimpleCommand, 'told'> {
  const texts = redirects.flatMap((each) => (each.type === 'HereDoc' ? [each.body.text] : []));
  return texts.length > 0 ? { told: texts.join('') } : {};
}

/** `>>` adds, `<>` leaves what was there. */
const cuts: ReadonlySet<string> = new Set(['>', '>|', '&>', '>&']);

function redirectsOf(redirects: readonly Redirection[]): SimpleCommand['redirects'] {
  return redirects.flatMap((each) => {
    if (each.type !== 'Redirect') return [];
    const word = each.target ? wordOf(each.target) : unknownWord;
    const [first] = word.pieces;
    // `2>&1`, `>&-`: no file.
    const copy = each.operator.endsWith('&') && first?.kind === 'text' && /^(?:\d+|-)$/.test(first.value);
    return copy ? [] : [{ word, writes: each.operator !== '<', empties: cuts.has(each.operator) }];
  });
}

const withoutPlaces = (command: SimpleCommand): SimpleCommand =>
  withPieces(command, (piece) =>
    piece.kind === 'home' || piece.kind === 'cwd' ? [{ kind: 'unknown' }] : [piece],
  );

function withPieces(command: SimpleCommand, put: (piece: Piece) => readonly Piece[]): SimpleCommand {
  const word = ({ pieces }: ShellWord): ShellWord => ({ pieces: pieces.flatMap(put) });
  return {
    ...command,
    words: command.words.map(word),
    redirects: command.redirects.map((each) => ({ ...each, word: word(each.word) })),
    assigned: command.assigned.map(({ name, value }) => ({ name, value: word(value) })),
  };
}
