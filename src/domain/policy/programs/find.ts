// `find`: what its expression runs, and what it takes away.
import type { SimpleCommand } from '../shell.ts';
import type { ShellWord } from '../shell-word.ts';
import { listed } from './manner.ts';
import { type Given, nothing } from './options.ts';
import { harmless, type Reach } from './reach.ts';

const alone = new Set(
  listed(
    `-H -L -P -a -and -o -or -not ! ( ) , -print -print0 -ls -prune -depth -d -xdev -mount -follow -empty -readable -writable
     -executable -true -false -quit -daystart -noleaf -nouser -nogroup -E -X -s -warn -nowarn -ignore_readdir_race`,
  ),
);
const withValue = new Set(
  listed(
    `-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -maxdepth -mindepth -size -mtime
     -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerct -perm -user -group -uid -gid -inum -links
     -samefile -regextype -printf -fstype -used -context -D -f`,
  ),
);
const removing = new Set(['-delete', '-fprint', '-fprint0', '-fls', '-fprintf']);
const running = new Set(['-exec', '-execdir', '-ok', '-okdir']);

export function findReach(words: readonly Given[], all: readonly ShellWord[]): Reach | undefined {
  const inner: SimpleCommand[] = [];
  const texts = new Set<number>();
  let removes = false;
  for (let at = 1; at < words.length; at += 1) {
    const { text: word, loose } = words[at] ?? nothing;
    if (word === undefined && loose) return undefined;
    if (word === undefined || alone.has(word) || /^-\d+$|^-O\d$/.test(word)) continue;
    if (withValue.has(word)) {
      at += 1;
      texts.add(at);
    } else if (removing.has(word)) {
      removes = true;
      if (word === '-fprintf') at += 1;
    } else if (running.has(word)) {
      const end = words.findIndex(({ text }, place) => place > at && (text === ';' || text === '+'));
      if (end < 0) return undefined;
      inner.push({ words: all.slice(at + 1, end).map(found), redirects: [], assigned: [] });
      at = end;
    } else if (word.startsWith('-')) return undefined;
  }
  return { ...harmless, inner, removes, texts };
}

/** `{}` is a file that was found: what it is called only running it would tell, but no option. */
const found = (word: ShellWord): ShellWord =>
  word.pieces.some((piece) => piece.kind === 'text' && piece.value.includes('{}'))
    ? { pieces: [{ kind: 'text', value: './' }, { kind: 'unknown' }] }
    : word;
