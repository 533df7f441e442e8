/** Lines of a stack, of JavaScript, Java, .NET, Python, Ruby, Rust, Go and PHP. */
const frame =
  /^[ \t]{0,40}(?:at [^\n]|\.\.\. \d+ more|File "[^"\n]*", line \d|from [^\s:]{1,300}:\d+:in|#\d+ |\d+: +\S|[^\s:]{1,300}\.(?:go|rb|rs|py):\d+(?: \+0x|:in )|Traceback \(|stack backtrace:|exit status \d|created by |note: run with `RUST_BACKTRACE)/;
const goroutine = /^goroutine \d+ \[/;
const traceback = /^[ \t]{0,40}Traceback \(/;
/** A frame that stands in the midst of a line, as where line ends were lost. */
const inlined = / ?(?:\\n)? {0,8}\bat [^\s()]{1,200} \([^()\n]{1,300}:\d{1,7}\)/g;

/** Where a stack begins in the midst of a line. */
const glued = / (?=Traceback \(|goroutine \d+ \[|stack backtrace:)/g;

/** The text without the lines that only somebody with the source can read. */
export function withoutStacks(text: string): string {
  const kept: string[] = [];
  let skipping: 'go' | 'python' | undefined;
  for (const line of text.replace(glued, '\n').split('\n')) {
    if (goroutine.test(line)) skipping = 'go';
    else if (traceback.test(line)) skipping = 'python';
    else if (skipping === 'go' && line.trim() === '') skipping = undefined;
    // Behind the indented lines of a Python stack comes the error itself.
    else if (skipping === 'python' && line !== '' && !/^[ \t]/.test(line)) skipping = undefined;
    if (!skipping && !frame.test(line)) kept.push(line);
  }
  return kept
    .join('\n')
    .replace(inlined, '')
    .replace(/\n{3,}/g, '\n\n');
}
