// Small languages of which a part is known to run nothing, and to write nothing: sed's and awk's.

/** Where lines are counted, tested or printed; `s` and `y` are read apart. */
const pattern = String.raw`/(?:[^/\\\n[]|\\.|\[[^\]/\n]*\])*/`;
const address = String.raw`(?:\d+|\$|${pattern}I?)(?:~\d+)?`;
const beginning = new RegExp(`^\\{?\\s*(?:${pattern}(?:,[ ]?${pattern})?)?`);
/** `a`, `i` and `c` put in the rest of the line. */
const sedText = new RegExp(`^(?:${address})?[ ]*!?[ ]*[aic](?:[ \\\\]|$)`);
const sedCommand = new RegExp(
  `^(?:${address}(?:,[ ]?(?:\\+?${address}))?)?[ ]*!?[ ]*([pdqQ=nNhHgGxDPl])?[ ]*\\d*$`,
);
const sedChange = new RegExp(`^(?:${address}(?:,[ ]?(?:\\+?${address}))?)?[ ]*!?[ ]*[sy]([^\\w\\s\\\\])`);

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
      const end = change ? afterChange(left, change[0].length, change[1] ?? '') : commandEnd(left);
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
  const before = beginning.exec(text)?.[0].length ?? 0;
  const end = text.indexOf(';', before);
  return end < 0 ? text.length : end;
}

/** `s/a/b/flags`, of which `e` runs and `w` writes. */
function afterChange(text: string, from: number, mark: string): number | undefined {
  let at = from;
  for (let part = 0; part < 2; part += 1) {
    const begin = at;
    while (at < text.length && text[at] !== mark) at += text[at] === '\\' ? 2 : 1;
    // Some read a mark between brackets as a part of the pattern, others as its end.
    if (at >= text.length || text.lastIndexOf('[', at) >= Math.max(begin, text.lastIndexOf(']', at) + 1))
      return undefined;
    at += 1;
  }
  const flags = /^[gpIiMm\d]*/.exec(text.slice(at))?.[0].length ?? 0;
  const end = at + flags;
  return end === text.length || /[\s;}]/.test(text.charAt(end)) ? end : undefined;
}

/** Whether an awk program only reads the files that it is given, and prints. Read without telling texts from code. */
export function isPlainAwk(program: string): boolean {
  const prints = program.indexOf('print');
  const writes = prints >= 0 && program.includes('>', prints);
  return !writes && !/system|getline|[|@]|ARG/.test(program.replaceAll('||', ''));
}
