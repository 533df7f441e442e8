// Programs that run other programs. A rule about `rm` has to find it behind them, or to say that it cannot.

/** They run the words that follow. */
const runners = new Set(
  `- builtin busybox caffeinate chroot chrt command doas env exec flock ionice nice nocorrect noglob nohup nsenter parallel pkexec
   repeat runuser setpriv setsid strace stdbuf su sudo systemd-run taskset time timeout toybox unshare watch xargs`.split(
    /\s+/,
  ),
);

/** They run code that is a text, a file or an option of theirs: whatever else the command says, it may run anything. */
const interpreters = new Set(
  `alias ash awk bash bun csh dash deno ed eval ex expect fish gawk gdb hash irb ksh ksh93 lua make mawk nawk node npx nvim
   osascript perl php powershell pwsh python rbash ruby script sh socat source ssh tclsh tcsh tmux trap vi vim zsh`.split(
    /\s+/,
  ),
);

/** They speak with other machines. */
const networkers = new Set(
  'aria2c curl ftp git http https lftp lynx nc ncat netcat rclone rsync scp sftp ssh telnet w3m wget'.split(
    ' ',
  ),
);

const binFolders = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[^/]+$/;

/** `/bin/rm` is `rm`. */
export const baseName = (program: string): string =>
  program.slice(program.lastIndexOf('/') + 1).toLowerCase();

export const isRunner = (program: string): boolean => runners.has(baseName(program));

/** `python3.12` is `python`. */
function unversioned(name: string): string {
  let end = name.length;
  while (/[\d.]/.test(name[end - 1] ?? '')) end -= 1;
  return name.slice(0, end);
}

/** Also a program by its path outside of the usual folders: it may be anything under any name. */
export const mayRunAnything = (program: string): boolean =>
  program === '.' ||
  interpreters.has(unversioned(baseName(program))) ||
  (program.includes('/') && !binFolders.test(program));

export const isNetworker = (program: string): boolean => networkers.has(baseName(program));

/** `find -exec`, `git -c alias.x=!…`, `tar --to-command`: options with which a program runs others. */
export const runsByOption = (argument: string): boolean =>
  /^(?:-exec(?:dir)?|-ok(?:dir)?|-delete|-c|-e|--(?:exec|eval|command|to-command|checkpoint-action|rsh|upload-pack|receive-pack|use-compress-program)\b.*|core\.\w+=.*|alias\..*)$/.test(
    argument,
  );
