// What a program is called, whatever folder it is called from.

const binFolders = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[^/]+$/;

/** `/bin/rm`, `RM`, `rm.exe` and `ｒｍ` may all be `rm`: some systems take each for it. */
export const baseName = (program: string): string =>
  program
    .slice(program.lastIndexOf('/') + 1)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\.(?:exe|com|cmd|bat|ps1)$/, '');

/** Whether the system's own program of that name is meant: outside of the usual folders it may be anything. */
export const isInstalled = (program: string): boolean => !program.includes('/') || binFolders.test(program);

/** Behind these a denied command is denied, and not just asked about: they run the words that follow. */
const wordRunners = new Set(
  `- builtin busybox caffeinate chroot chrt command doas env exec flock ionice nice nocorrect noglob nohup nsenter parallel pkexec
   repeat runuser setpriv setsid strace stdbuf su sudo systemd-run taskset time timeout toybox unshare watch xargs`.split(
    /\s+/,
  ),
);
/** And these run a word as a script. */
const scriptRunners = new Set(
  `alias ash bash csh dash eval fish hash ksh rbash sh script source ssh tcsh tmux trap zsh`.split(' '),
);

export const runsWords = (program: string): boolean => wordRunners.has(baseName(program));

export const runsScripts = (program: string): boolean => scriptRunners.has(baseName(program));
