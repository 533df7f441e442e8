// What git is known to do, subcommand by subcommand. What stands here runs its own hooks and what the repository's
// configuration says, as it does for everybody; no word of the command chooses a program for it.
import { mannerOf, manners } from './manner.ts';

/** Before the subcommand. `-c` is read apart: most settings are harmless, some name a program. */
export const gitGlobals = mannerOf({
  short: 'C:c:P',
  long: 'no-pager no-optional-locks literal-pathspecs no-replace-objects',
});

/** Settings that choose colours, formats and names. */
export const harmlessSetting =
  /^(?:color\.[\w.]+|column\.\w+|core\.(?:quotepath|autocrlf|abbrev|ignorecase|filemode|bare|precomposeunicode|longpaths)|user\.(?:name|email)|author\.(?:name|email)|committer\.(?:name|email)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|fetch\.prune|rebase\.(?:autostash|autosquash)|merge\.(?:conflictstyle|ff|renames?)|diff\.(?:renames?|algorithm|colormoved|context|mnemonicprefix|noprefix|renamelimit)|log\.(?:date|decorate)|commit\.(?:gpgsign|verbose)|tag\.(?:gpgsign|sort)|branch\.(?:autosetuprebase|sort)|status\.\w+|advice\.\w+|gc\.auto|safe\.directory|rerere\.enabled|help\.autocorrect)$/i;

const formats = `oneline graph stat numstat shortstat name-only name-status all decorate decorate= no-decorate patch no-patch
  pretty pretty= format= date= since= until= after= before= author= committer= grep= max-count= skip= reverse first-parent
  merges no-merges abbrev-commit abbrev abbrev= no-abbrev-commit follow color color= no-color cached staged word-diff
  word-diff= ignore-all-space ignore-space-change ignore-blank-lines unified= diff-filter= find-renames find-renames=
  no-renames summary branches tags remotes topo-order date-order author-date-order left-right cherry-pick cherry-mark
  exit-code quiet check raw full-index minimal patience histogram no-ext-diff no-textconv relative binary
  dirstat compact-summary invert-grep regexp-ignore-case extended-regexp fixed-strings perl-regexp pickaxe-regex
  merge-base show-signature root cc no-prefix function-context inter-hunk-context= diff-algorithm= stat= text
  simplify-by-decoration ancestry-path boundary parents children no-color-moved color-moved color-words count pickaxe-all
  submodule submodule=`;

export const gitManners = manners([
  [
    'log show diff shortlog whatchanged diff-tree diff-index diff-files range-diff reflog reflog/show rev-list',
    {
      short: '0pswbn:S:G:U:L:M::C::rzcmqtieWR',
      long: formats,
      says: '-S -G --grep --author --format --pretty --since --until',
    },
  ],
  [
    'status',
    {
      short: 'sbvu::z',
      long: 'short branch porcelain porcelain= long verbose untracked-files= untracked-files ignored show-stash ahead-behind',
    },
  ],
  [
    'ls-files ls-tree show-ref for-each-ref name-rev merge-base cherry count-objects check-ignore check-attr var symbolic-ref show-branch version blame annotate verify-commit verify-tag merge-tree',
    {
      short: 'cdmosiutvqrazlzbwL:M::C::eftnsp',
      long: `cached deleted modified others ignored stage unmerged exclude-standard exclude= full-name error-unmatch name-only
        format= sort= count= points-at= contains= no-contains= merged merged= no-merged heads tags head is-ancestor
        all octopus fork-point short verify abbrev= abbrev porcelain line-porcelain show-email date= color-lines no-index
        recurse-submodules full-tree long object-only directory`,
    },
  ],
  [
    'rev-parse',
    {
      short: 'q',
      long: `show-toplevel abbrev-ref short short= verify quiet git-dir git-common-dir is-inside-work-tree symbolic-full-name
        show-prefix show-cdup absolute-git-dir is-bare-repository is-shallow-repository all branches tags git-path
        abbrev-ref= path-format= show-superproject-working-tree is-inside-git-dir`,
    },
  ],
  [
    'describe',
    {
      short: '0',
      long: 'tags always dirty long abbrev= match= exclude= exact-match first-parent all contains',
    },
  ],
  ['cat-file', { short: 'tspe', long: 'batch-check batch' }],
  [
    'grep',
    {
      short: 'ne:ilwvcEFPGhHoqrA:B:C:Wp0I',
      long: 'line-number name-only ignore-case count heading break show-function cached no-index untracked and or not all-match files-with-matches fixed-strings extended-regexp perl-regexp max-depth=',
      text: 'first',
      says: '-e',
    },
  ],
  [
    'add stage',
    {
      short: 'AunvfNp',
      long: 'all update dry-run verbose force patch intent-to-add ignore-errors no-all renormalize chmod=',
    },
  ],
  [
    'commit',
    {
      short: 'm:aF:qnsvC:S',
      long: `message= all amend no-edit quiet no-verify signoff verbose file= author= date= allow-empty allow-empty-message dry-run
        fixup= reuse-message= reset-author no-gpg-sign gpg-sign short porcelain status no-status only include trailer= cleanup=`,
      says: '-m --message --author --date --trailer',
    },
  ],
  [
    'branch',
    {
      short: 'avrdDmMcCftuqlu:',
      long: `all list verbose remotes delete move copy force show-current contains contains= no-contains= merged merged= no-merged
        set-upstream-to= unset-upstream sort= format= track points-at= column no-column color no-color quiet`,
    },
  ],
  [
    'tag',
    {
      short: 'lafdnm:F:v',
      long: 'list annotate message= delete force sort= contains= merged= points-at= format= verify file=',
      says: '-m --message',
    },
  ],
  ['switch', { short: 'cCdtqm', long: 'create force-create detach track quiet guess no-guess orphan merge' }],
  [
    'checkout',
    {
      short: 'bBtqdlf',
      long: 'track detach quiet orphan no-track guess no-guess force ours theirs',
    },
  ],
  ['restore', { short: 'Ss:qWm', long: 'staged worktree source= quiet ours theirs merge' }],
  ['rm', { short: 'rfqn', long: 'cached force quiet dry-run ignore-unmatch', removes: true }],
  ['clean', { short: 'dfnqxXe:', long: 'force dry-run quiet exclude=', removes: true }],
  ['mv', { short: 'fknv', long: 'force verbose dry-run', removes: true }],
  ['stash', { short: 'uqakm:', long: 'include-untracked all keep-index quiet message=', most: 0 }],
  [
    'stash/push stash/save',
    {
      short: 'uqakSm:',
      long: 'include-untracked all keep-index quiet message= staged',
      text: 'all',
      says: '-m --message',
    },
  ],
  [
    'stash/list stash/show stash/pop stash/apply stash/drop stash/branch',
    { short: 'pqu', long: 'index quiet patch stat include-untracked name-only name-status oneline' },
  ],
  ['reset', { short: 'qN', long: 'soft mixed quiet keep merge hard', removing: '--hard' }],
  [
    'merge',
    {
      short: 'm:nqv',
      long: 'no-ff ff ff-only squash no-commit commit abort continue quit message= no-edit stat no-stat quiet allow-unrelated-histories',
      says: '-m',
    },
  ],
  [
    'rebase',
    {
      short: 'qv',
      long: 'onto= onto abort continue skip quit autostash no-autostash autosquash keep-empty rebase-merges update-refs quiet',
    },
  ],
  [
    'cherry-pick revert',
    { short: 'xnm:s', long: 'no-commit no-edit abort continue skip quit mainline= signoff' },
  ],
  [
    'fetch pull',
    {
      short: 'pqtvafr',
      long: 'all prune tags no-tags quiet verbose rebase no-rebase ff-only ff no-ff autostash depth= unshallow force dry-run set-upstream rebase= no-edit',
      speaks: 'words',
    },
  ],
  ['ls-remote', { short: 'htqd', long: 'heads tags refs quiet exit-code symref branches', speaks: 'words' }],
  [
    'clone',
    {
      short: 'b:qlsn',
      long: 'depth= branch= single-branch no-single-branch quiet bare mirror no-checkout no-tags shallow-submodules progress filter=',
      speaks: 'words',
    },
  ],
  ['init', { short: 'qb:', long: 'bare quiet initial-branch=', most: 1 }],
  ['remote', { short: 'v', long: 'verbose', most: 0 }],
  ['remote/show remote/get-url remote/rename', { short: 'n', long: 'all', speaks: 'words' }],
  ['remote/add remote/set-url', { short: 'ft:', long: 'no-tags', speaks: 'words' }],
  ['worktree/list worktree/add worktree/prune', { short: 'vfb:B:d', long: 'porcelain verbose detach force' }],
  [
    'config',
    {
      short: 'l',
      long: 'list get get-all get-regexp show-origin show-scope global local system type= get-urlmatch',
    },
  ],
  ['worktree/remove', { short: 'f', long: 'force', removes: true }],
  ['bisect/start bisect/good bisect/bad bisect/reset bisect/log bisect/skip', {}],
  ['submodule submodule/status submodule/summary', { long: 'recursive cached quiet', most: 0 }],
  [
    'apply',
    {
      short: 'Rvp:',
      long: 'check stat numstat summary reverse cached index 3way recount whitespace= ignore-whitespace',
      opens: 'more',
    },
  ],
  ['notes/list notes/show sparse-checkout/list lfs/ls-files lfs/status', {}],
]);
