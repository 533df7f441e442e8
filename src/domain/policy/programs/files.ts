// Programs that read, write and list files. They run no other program, whatever their words say, as far as their options
// are named here, or all of those they have are harmless (`any`). GNU, BSD and busybox have been looked at.
import { manners } from './manner.ts';

export const fileManners = manners([
  // The files that their words name, and nothing else.
  [
    `cat tac nl rev head tail cut paste join comm cmp diff fold fmt expand unexpand column od hexdump xxd
     strings stat readlink realpath ls dir vdir tree df base64 base32 uniq tsort
     touch mkdir mktemp chmod chown chgrp cp cd pushd popd iconv dos2unix unix2dos pathchk namei test [`,
    { any: true },
  ],
  // They take names apart, and open nothing.
  ['basename dirname', { any: true, text: 'all' }],
  // What some options take from a file, or hand to a program, is not in their words.
  ['wc', { any: 'opens', short: 'clmLw', long: 'bytes chars lines words max-line-length' }],
  [
    'du',
    {
      any: 'opens',
      short: 'abcDHhklLmPsSxd:t:',
      long: 'all apparent-size human-readable max-depth= summarize total exclude= si one-file-system',
    },
  ],
  ['file', { any: 'opens', short: 'bihkLNprsvz0', long: 'brief mime mime-type mime-encoding' }],
  [
    'cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum',
    { any: 'opens', short: 'btz', long: 'binary text tag' },
  ],
  ['shasum', { any: 'opens', short: 'bta:', long: 'algorithm=' }],
  [
    'sort',
    {
      short: 'bdfgiMhnRrVcCmsuzk:t:S:o:',
      long: 'ignore-leading-blanks numeric-sort general-numeric-sort human-numeric-sort version-sort reverse unique stable key= field-separator= check zero-terminated output=',
    },
  ],
  [
    'grep egrep fgrep',
    {
      short: 'e:f:A:B:C:m:d:D:',
      long: 'regexp= file= after-context= before-context= context= max-count= include= exclude= exclude-dir= label= binary-files=',
      any: true,
      text: 'first',
      says: '-e --regexp --include --exclude --exclude-dir',
    },
  ],
  [
    'rg',
    {
      short: 'nilLcwvoHhNsSFPUuqax0.e:g:t:T:A:B:C:m:r:j:d:M:E:f:I',
      long: `line-number no-line-number ignore-case smart-case case-sensitive files-with-matches files-without-match count
        count-matches word-regexp invert-match only-matching with-filename no-filename fixed-strings pcre2 multiline
        multiline-dotall hidden no-ignore no-ignore-vcs unrestricted quiet text line-regexp null files type-list json
        stats trim vimgrep heading no-heading no-messages column pretty follow crlf passthru version help debug
        regexp= glob= iglob= type= type-not= after-context= before-context= context= max-count= replace= threads=
        max-depth= max-columns= max-filesize= sort= sortr= color= colors= encoding= file= no-config`,
      text: 'first',
      says: '-e --regexp -g --glob --iglob -t --type -r --replace',
    },
  ],
  [
    'fd fdfind',
    {
      short: 'HIusigFpaLt:e:d:E:c:j:0l1',
      long: `hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob fixed-strings full-path absolute-path
        follow print0 list-details quiet type= extension= max-depth= min-depth= exact-depth= exclude= color= size=
        changed-within= changed-before= max-results= version help`,
      text: 'first',
      says: '-E --exclude -e --extension',
    },
  ],
  ['jq', { short: 'L:', long: 'arg indent', any: true, text: 'first' }],
  ['tee', { any: true, removes: true }],
  ['mv rmdir unlink truncate shred', { any: true, removes: true }],
  ['rm', { any: true, removes: true }],
  [
    'tar',
    {
      short: 'ctxrvzjJamkpOhS0f:C:',
      long: `create list extract get verbose gzip gunzip bzip2 xz zstd auto-compress file= directory= exclude= exclude-vcs
        strip-components= keep-old-files no-same-owner same-permissions preserve-permissions to-stdout dereference
        wildcards transform= version help`,
      speaks: 'words',
    },
  ],
  ['ln', { any: true, removing: '-f --force' }],
  ['zip', { short: 'rq0123456789jyvx:i:', long: 'recurse-paths quiet exclude' }],
  ['unzip zipinfo', { short: 'lqpotvnjZ1d:x:' }],
  [
    'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd',
    { short: 'cdfklnNqrtv0', long: 'stdout keep decompress list test', removes: true },
  ],
  ['zcat gzcat bzcat xzcat zstdcat', { any: true }],
  [
    'tsc',
    {
      short: 'p:bwhv',
      long: 'noEmit project= build watch version help pretty skipLibCheck incremental showConfig listFiles traceResolution strict',
    },
  ],
  ['shellcheck', { any: 'opens', short: 'f:e:s:S:o:a', long: 'format= exclude= shell= severity=' }],
  ['gofmt rustfmt shfmt hadolint tokei scc', { any: true }],
  // They read a project and say what they think of it. Add-ons of theirs are the project's configuration's to name.
  [
    'biome/check biome/format biome/lint biome/ci ruff/check ruff/format ruff/rule mypy pyright',
    {
      short: 'qvse:p:',
      long: `fix no-fix diff check watch output-format= select= ignore= exclude= statistics quiet line-length= write unsafe
        no-errors-on-unmatched changed staged since= max-diagnostics= reporter= strict ignore-missing-imports outputjson project=`,
    },
  ],
  // Words as they are written on a machine where nobody looks: a key that is pressed could run something.
  ['less', { short: 'NSRFXnigIMsK', long: 'chop-long-lines line-numbers' }],
]);
