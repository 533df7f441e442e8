// Small languages of which a part is known to run nothing, and to write nothing: sed's and awk's.

/** Where lines are counted, tested or printed; `s` and `y` are read apart. */
const pattern = String.raw`/(?:[^/\\\n[]|\\.|\[(?!\^\])(?:\[:\w{1,10}:\]|[^\][\\/\n])+\])*/`;
const address = String.raw`(?:\d+|\$|${pattern}I?)(?:~\d+)?`;
const beginning = new RegExp(`^\\{?\\s*(?:${pattern}(?:,[ ]?${pattern})?)?`);
/** `a`, `i` and `c` put in the rest of the line. */
const sedText = new RegExp(`^(?:${address})?[ ]*!?[ ]*[aic](?:[ \\\\]|$)`);
const sedCommand = new RegExp(
  `^(?:${address}(?:,[ ]?(?:\\+?${address}))?)?[ ]*!?[ ]*([pdqQ=nNhHgGxDPl])?[ ]*\\d*$`,
);
const sedChange = new RegExp(`^(?:${address}(?:,[ ]?(?:\\+?${address}))?)?[ ]*!?[ ]*[sy][^\\w\\s\\\\]`);

/**
 * What every sed reads alike in `s` and `y`: an escape, brackets that hold no `\` and close at the first `]`, and any other
 * sign. `[]`, `[^]` and `[\]` close there for some of them only: what is a pattern for one is a command for another.
 */
const sign = /\\.|\[(?!\^\])(?:\[:\w{1,10}:\]|[^\][\\])+\]|[^[\\]/sy;

/** Characters of a script beyond which it is not read. */
const longest = 2_000;

/**
 * What a sed script does to the lines.
 *
 * @returns undefined where it may run a command or write to a file, or cannot be told
 */
export function sedScript(script: string): 'changes' | 'takes' | undefined {
  if (script.length > longest) return undefined;
  let takes = false;
  for (const line of script.split('\n')) {
    let left = line.trim();
    if (sedText.test(left)) continue;
    while (left !== '') {
      const change = sedChange.exec(left);
      const end = change ? afterChange(left, change[0].length) : commandEnd(left);
      if (end === undefined) return undefined;
      if (!change) {
        const command = sedCommand.exec(
          left
            .slice(0, end)
            .replace(/^\{|\}$/g, '')
            .trim(),
        );
        if (!command) return undefined;
        takes ||= /[dqQnNDxhHgG]/.test(command[1] ?? '');
      }
      left = left.slice(end).replace(/^[\s;}]+/, '');
    }
  }
  return takes ? 'takes' : 'changes';
}

/** A `;` within a pattern is none. */
function commandEnd(text: string): number {
  const before = text.length - text.replace(beginning, '').length;
  const end = text.indexOf(';', before);
  return end < 0 ? text.length : end;
}

/** `s/a/b/flags`, of which `e` runs and `w` writes; `from` is behind the first mark. */
function afterChange(text: string, from: number): number | undefined {
  const mark = text.charAt(from - 1);
  let at = from;
  for (let part = 0; part < 2; ) {
    sign.lastIndex = at;
    const found = sign.exec(text)?.[0];
    // Some read a mark between brackets as a part of the pattern, others as its end.
    if (found === undefined || (found.startsWith('[') && found.includes(mark))) return undefined;
    at += found.length;
    if (found === mark) part += 1;
  }
  const behind = text.slice(at).replace(/^[gpIiMm\d]+/, '');
  return /^(?:$|[\s;}])/.test(behind) ? text.length - behind.length : undefined;
}

/** Whether an awk program only reads the files that it is given, and prints. Read without telling texts from code. */
export function isPlainAwk(program: string): boolean {
  const prints = program.indexOf('print');
  const writes = prints >= 0 && program.includes('>', prints);
  return !writes && !/system|getline|[|@]|ARG/.test(program.replaceAll('||', ''));
}
