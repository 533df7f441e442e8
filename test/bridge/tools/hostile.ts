// Parts of what a broken or hostile provider may say.
const esc = '\u001b';

/** Strings that must not come through. */
export const tokens = [
  'sk-proj-abcdefghij0123456789ABCDEFG',
  'ghp_abcdefghij0123456789ABCDEFGHIJ012345',
  'xoxb-1234567890-abcdefghij',
  'AKIAIOSFODNN7EXAMPLE',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEF123_-x',
  'deadbeefdeadbeefdeadbeefdeadbeef',
  'QWxhZGRpbjpvcGVuIHNlc2FtZQ+AbCd/EfGh1234567890==',
  'Bearer short1',
  'the-given/secret "5"',
];
export const secrets = ['the-given/secret "5"'];

export const paths = [
  '/home/anna/projects/x/main.ts',
  '/Users/anna/x',
  '/root/.ssh/id_rsa',
  '/var/lib/x/y.db',
  '/srv/anna/data',
  '~/anna/notes',
  'file:///home/anna/x.js',
  String.raw`C:\Users\anna\x.txt`,
  'D:/anna/x.txt',
  String.raw`\\server\anna\x`,
  '"/home/anna smith/my notes.txt"',
  "open '/opt/anna/x'",
];

export const stacks = [
  '    at Object.<anonymous> (/home/anna/x.js:1:2)',
  '    at async run (node:internal/x:10:3)\n    at eval (eval at f (x.js:1:1), <anonymous>:1:1)',
  '\tat com.anna.Main.run(Main.java:12)\n\t... 12 more',
  'Traceback (most recent call last):\n  File "/home/anna/x.py", line 3, in <module>\n    annaCall()',
  '  File "x.py", line 4, in f',
  'goroutine 1 [running]:\nmain.anna(0x1)\n\t/home/anna/x.go:12 +0x1d\n',
  'stack backtrace:\n   0: rust_begin_unwind\n             at ./src/anna.rs:5:1',
  "\tfrom anna.rb:3:in `run'",
  '#0 /var/www/anna/x.php(12): anna()',
  '   at Anna.Run() in C:\\anna\\x.cs:line 3',
  'Error: x at anna (/home/anna/x.js:1:2) at b (c.js:3:4)',
];

export const escapes = [
  `${esc}[31mred${esc}[0m`,
  `${esc}]0;title\u0007`,
  `${esc}]8;;http://x\u001b\\link`,
  `${esc}P1;2q`,
  '\u009b2J',
  '\u0000\u0007\b',
  '\u202eevil\u2066',
  'zero\u200bwidth\u2060',
  '\u{e0041}',
  '\ud800',
  'a\rb\u2028c',
];

/** What no text that is passed on may hold. */
export const unseen =
  /[\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\u{e0000}-\u{e007f}]/u;
/** What no error text may hold: `anna` stands in each path in front of its last part. */
export const leaks =
  /[/\\]anna[/\\ ]|\bat \S+ \(|Traceback|goroutine|backtrace|line \d|\.(?:java|go|rs|rb|php):\d/i;
