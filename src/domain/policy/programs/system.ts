// Programs and words of the shell that look at the machine, change what the shell itself knows, or print their words.
import { manners } from './manner.ts';

export const systemManners = manners([
  // What they are given is text to them, and nothing is opened.
  ['echo', { any: true, text: 'all' }],
  ['printf', { text: 'all' }],
  ['true false :', { most: 0 }],
  [
    `expr seq yes sleep factor tr wait jobs fg bg kill exit return break continue shift logout umask ulimit disown
     pkill killall pgrep cal tput`,
    { any: true, text: 'all' },
  ],
  [
    `pwd whoami id groups uname uptime free nproc tty ps lsof ss netstat vmstat iostat lscpu lsblk lsusb lspci
     getconf locale hostname dmesg who w last which type whereis printenv sw_vers top htop pidof fuser times
     dirs caller hostnamectl timedatectl pstree`,
    { any: true, text: 'all' },
  ],
  ['dpkg', { short: 'lLsS', text: 'all' }],
  [
    'date',
    { short: 'uRIjr:d:v:', long: 'utc iso-8601 rfc-3339= iso-8601= date= universal reference=', text: 'all' },
  ],
  ['set', { short: 'euxvnfCEaTo:', text: 'all' }],
  ['shopt', { short: 'supqo' }],
  ['export readonly local declare typeset', { short: 'gxrap', text: 'all' }],
  ['unset', { short: 'fv', text: 'all' }],
  ['read', { short: 'rsd:n:N:t:u:p:a:', text: 'all' }],
  ['mapfile readarray', { short: 'tn:O:s:u:d:', text: 'all' }],
  ['getopts', { text: 'all' }],
  [
    `systemctl/status systemctl/show systemctl/cat systemctl/is-active systemctl/is-enabled systemctl/is-failed
     systemctl/list-units systemctl/list-timers systemctl/list-unit-files systemctl/list-sockets`,
    {
      short: 'aln:t:p:',
      long: 'user system all no-pager full lines= type= property= state= value no-legend',
      text: 'all',
    },
  ],
  [
    'journalctl',
    {
      short: 'u:n:t:p:o:S:U:b:kfxeqr',
      long: 'user unit= user-unit= since= until= lines= no-pager follow output= priority= grep= boot reverse',
      text: 'all',
    },
  ],
  // They speak to the hosts that their words name.
  ['ping ping6', { short: 'c:i:W:w:t:s:nq46', speaks: 'words' }],
  ['dig nslookup host whois traceroute', { short: 'p:t:x:46av', speaks: 'words' }],
  ['nc ncat netcat', { short: 'zvw:nu46', speaks: 'words' }],
  [
    'curl',
    {
      short: 'sSfLkIivgGNjo:OX:d:H:A:b:c:F:u:m:w:e:r:T:z:046',
      long: `silent show-error fail fail-with-body location insecure head include verbose get output= remote-name request= data= data-raw= data-binary=
        data-urlencode= json= header= user-agent= cookie= cookie-jar= form= form-string= user= max-time= connect-timeout= write-out=
        referer= range= retry= retry-delay= retry-all-errors retry-connrefused url= compressed no-progress-meter progress-bar
        http1.1 http2 no-buffer globoff create-dirs remove-on-error ipv4 ipv6 oauth2-bearer= version help`,
      says: '-H --header -A --user-agent -w --write-out -X --request -m --max-time --data-raw -u --user',
      speaks: 'words',
    },
  ],
  [
    'wget',
    {
      short: 'qvcNSrlnO:P:t:T:U:46',
      long: `quiet verbose no-verbose continue timestamping spider server-response output-document= directory-prefix= tries= timeout=
        user-agent= header= no-check-certificate recursive no-parent no-clobber show-progress version help`,
      says: '--header -U --user-agent',
      speaks: 'words',
    },
  ],
  [
    'http https httpie xh',
    {
      short: 'vhbjfpd',
      long: 'json form verbose headers body ignore-stdin check-status follow',
      speaks: 'words',
    },
  ],
  ['scp', { short: 'rpqCv346P:l:', speaks: 'words' }],
  [
    'rsync',
    {
      short: 'avzrnPhiutcxHAXSWlkLDgopEqm',
      long: `archive verbose compress recursive dry-run progress partial human-readable itemize-changes update times checksum
        exclude= include= stats info= links perms owner group devices specials numeric-ids size-only ignore-existing
        max-size= min-size= bwlimit= quiet`,
      speaks: 'words',
    },
  ],
]);
