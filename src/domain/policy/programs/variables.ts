// Variables that a command sets. Many name a program that another one runs (`PAGER`, `GIT_SSH`), a folder of them (`PATH`)
// or code (`NODE_OPTIONS`), and nobody can list all of those: these here are known to do neither.

const harmlessNames =
  /^(?:NODE_ENV|CI|DEBUG|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|LOG_LEVEL|RUST_LOG|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GOOS|GOARCH|CGO_ENABLED|PORT|VERBOSE|DRY_RUN|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|DO_NOT_TRACK|SOURCE_DATE_EPOCH)$/;
/** What scripts call their own: no program looks for these. */
const ownNames =
  /^(?:[A-Z]|FILES?|DIRS?|FOLDER|OUT|OUTPUT|INPUT|TMP|TEMP|PIDS?|COUNT|TOTAL|NAMES?|BASE|ROOT|SRC|DEST|DST|BRANCH|COMMIT|SHA|HASH|TAG|VERSION|URL|START|END|RESULT|STATUS|CODE|LINE|LOG|MSG|MESSAGE|KEY|VALUE|ID|DATE|NOW|RED|GREEN|YELLOW|BLUE|BOLD|RESET|NC)$/;
/** Small letters belong to scripts, but for these of proxies and of zsh. */
const shellsOwn =
  /_proxy$|^npm_|^(?:path|fpath|cdpath|manpath|mailpath|module_path|fignore|psvar|watch|prompt|histchars|aliases|functions|commands|builtins|galiases|saliases|dirstack|nameddirs|options|modules|parameters|keymaps|widgets|zsh_.*|precmd.*|preexec.*|chpwd.*|periodic.*|status|signals|argv)$/;

/**
 * Whether a variable is known to change nothing but what a program prints.
 *
 * @param alone it is set for the script, and not just for one program
 */
export const isHarmlessVariable = (name: string, alone: boolean): boolean =>
  harmlessNames.test(name) ||
  (alone && ownNames.test(name)) ||
  (/^[a-z_][a-z\d_]*$/.test(name) && !shellsOwn.test(name));
