// A rule's `command` against what a shell would run: how far it is read, and where it cannot be told.
import { describe, expect, test } from 'vitest';
import { bash, lent, ruling, says } from './says.ts';

const noRm = [{ command: 'rm', decision: 'deny' }];
const ls = [{ command: 'ls', decision: 'allow' }];

/** Each of these programs, one after the other. */
const each = (names: string) => names.trim().split(/\s+/);

describe('a denied command behind a program that runs others', () => {
  test.for(
    each(
      `builtin busybox caffeinate chroot chrt command doas env exec flock ionice nice nocorrect noglob nohup nsenter
       parallel pkexec repeat runuser setpriv setsid strace stdbuf su sudo systemd-run taskset timeout toybox unshare
       watch xargs -`,
    ),
  )('is found behind %s, however that is written', (runner) => {
    expect(bash(noRm, `/usr/bin/${runner.toUpperCase()} x rm y`)).toBe('deny');
    expect(bash(noRm, `${runner} 5 ./x`)).toBe('ask');
  });

  test.for([
    'builtin rm x',
    'caffeinate -t 5 rm x',
    'command -p rm x',
    'doas -u x rm y',
    'env -i NODE_ENV=x A=1 rm y',
    'exec -a x rm y',
    'ionice -c 3 rm x',
    'nice -n 10 rm x',
    'nice -10 rm x',
    'nocorrect rm x',
    'noglob rm x',
    'nohup -- rm x',
    'setsid -w rm x',
    'stdbuf -oL rm x',
    'sudo -nu x rm y',
    'sudo A=b rm y',
    'time -p rm x',
    '/usr/bin/time -o x rm y',
    'timeout -s KILL 5 rm x',
    'xargs -0 -I{} rm {}',
    'xargs rm',
    'find . -exec rm {} +',
    "bash -c 'ls; rm x'",
    'sh -euc "rm x"',
    'eval ls "; rm x"',
    'nohup env nice sudo rm x',
  ])('is denied where that runs the words behind its own: %s', (command) => {
    expect(bash(noRm, command)).toBe('deny');
    expect(bash(noRm, command.replaceAll('rm', 'ls'))).not.toBe('deny');
  });

  test.for([
    'timeout 5 ls',
    'nice -n 10 ls',
    'env NODE_ENV=x ls',
    'sudo -u x ls',
    'command -v rm',
    'env',
    'xargs',
    'exec 3< x',
    'xargs grep x',
    'xargs -I{} echo {} rm',
    'find . -exec grep x {} \\;',
    "bash -c 'ls; cat x'",
    'eval ls',
    'time ls',
  ])('is not there where all of it is known: %s', (command) => expect(bash(noRm, command)).toBe('leave'));

  test.for([
    'timeout --x 5 ls',
    'env -S ls',
    'env LD_PRELOAD=x ls',
    'sudo -s ls',
    'sudo $X ls',
    'xargs -a x ls',
    'xargs -I $X ls',
    'xargs -I{} sh -c "ls {}"',
    'xargs -I{} {} x',
    'xargs sh -c',
    'bash x',
    'bash -c "$X"',
    'bash -x -c ls',
    'bash -c "ls ( x )"',
    'eval $X',
    'eval "ls ( x )"',
    `${'eval '.repeat(8)} ls`,
    'find . -exec sh -c "ls {}" ;',
    'find . -exec ls',
  ])('is asked about where it is not: %s', (command) => expect(bash(noRm, command)).toBe('ask'));

  test('is found behind the word of the shell that takes the time, and behind the program of that name', () => {
    for (const command of ['time rm x', 'time -p rm x', '/usr/bin/time rm x', '\\time rm x'])
      expect([command, bash(noRm, command)]).toEqual([command, 'deny']);
  });

  test.for(['ls *(e:"rm x":)', `ls \${(e)x}`, 'ls @(x)', '=rm x', '=r"m" x'])(
    'is asked about, and not allowed, where zsh may run it: %s',
    (command) => {
      expect(bash(noRm, command)).toBe('ask');
      expect(bash(ls, command)).toBe('leave');
    },
  );

  test.for(['[ x = y ]', '[ x == rm ]', 'echo =', 'echo =='])(
    'is none where an equals sign compares: %s',
    (command) => expect(bash(noRm, command)).toBe('leave'),
  );

  test.for(
    each(
      `alias ash bash bun csh dash deno docker ed eval ex expect fish gdb hash irb ksh lua make node npm
       npx nvim osascript perl php pip powershell pwsh python rbash ruby script sh socat source ssh tclsh tcsh tmux trap
       vi vim whatever zsh`,
    ),
  )('%s may run anything, so it is asked about', (program) => {
    expect(bash(noRm, `${program} x`)).toBe('ask');
    expect(bash(noRm, `nohup ${program} x`)).toBe('ask');
    expect(bash(noRm, `${program}3.12 x`)).toBe('ask');
  });

  test.for([
    '/usr/local/bin/ls',
    '/usr/bin/ls',
    '/bin/ls',
    '/sbin/ls',
    '/usr/sbin/ls',
    '/opt/homebrew/bin/ls',
  ])('%s is known by its name', (program) => expect(bash(noRm, `${program} y`)).toBe('leave'));

  test.for([
    './ls',
    'x/ls',
    '/tmp/bin/ls',
    '/x/usr/bin/ls',
    '/bin/x/ls',
    '/usr/bin/',
    '/opt/bin/ls',
    '/usr/local/ls',
    '/binx/ls',
    'LS',
    'ls.exe',
  ])('%s is not: it may be anything under any name', (program) =>
    expect(bash(noRm, `${program} y`)).toBe('ask'),
  );

  test.for([
    'find . -exec rm x',
    'find . -execdir rm x',
    'find . -ok rm x',
    'find . -okdir rm x',
    'find rm -delete',
    'x -e rm',
    'rsync -e "rm x" a b',
    'x --exec rm',
    'x --exec=rm',
    'x --eval=rm',
    'x --command=rm',
    'x --command "rm y"',
    'tar xf a --to-command=rm',
    "tar xf a --to-command='rm x'",
    'tar cf a --checkpoint-action=exec=rm .',
    'tar xf a --use-compress-program=rm',
    "rsync --rsh='rm x' a b",
    'git clone --upload-pack="rm x" a',
    'git push --receive-pack=rm',
    `git -c alias.x='!rm y' x`,
    `git -c core.pager='rm x' log`,
    'git core.editor=rm commit',
    'git alias.x=rm y',
    'x -c $Y',
    'x -c python3',
    'EDITOR="rm x" git commit',
    'EDITOR="rm x"; git commit',
    'export PAGER=rm; man x',
  ])('is asked about in an option of one, or a variable that one may run: %s', (command) =>
    expect(bash(noRm, command)).toBe('ask'),
  );

  test.for(['RM x', 'rm.exe x', 'ｒｍ x', 'Rm.CMD x'])(
    'is also one that some systems take for it: %s',
    (command) => expect(bash(noRm, command)).toBe('deny'),
  );

  test.for([
    'find . -name rm',
    'tar cf x --exclude=rm .',
    'NODE_ENV=rmx ls',
    'NODE_ENV=1 ls',
    'x=1 ls',
    'export A=(x)',
    'ls rm',
    'cat rm.txt',
    'echo rm x',
    'printf "%s" rm',
    'grep -rn "rm -rf" src',
    'git commit -m "rm x"',
    'git log --grep=rm',
    'git stash push -m rm',
  ])('is not seen where it runs nothing: %s', (command) => expect(bash(noRm, command)).toBe('leave'));

  test.for([
    'x -e y',
    'x core.pager=y',
    'FOO=1 ls',
    'A=(x) ls',
    'PATH=x; ls',
    'export LD_PRELOAD=x',
    'https_proxy=x ls',
    'path=x; ls',
    'true rm x',
    'git rm x',
    'tar xf a --to-command=ls',
  ])('is asked about where something could: %s', (command) => expect(bash(noRm, command)).toBe('ask'));
});

describe('what is written to a file', () => {
  test.for([
    "echo 'rm x' >> ~/.zshenv",
    "printf '#!/bin/sh\\nrm x\\n' > .git/hooks/pre-commit",
    'cat > x.sh <<E\nls\nrm y\nE',
    'cat <<E >> x.sh\n(rm y)\nE',
  ])('may be run from there: %s', (command) => expect(bash(noRm, command)).toBe('ask'));

  test.for([
    "echo 'rm x'",
    "echo 'rm x' >&2",
    "echo 'rm x' > /dev/null",
    'cat > x.sh <<E\nls\nE',
    "echo 'see rm' > x",
  ])('is not where none is, or something else: %s', (command) => expect(bash(noRm, command)).toBe('leave'));
});

describe('taking a file away', () => {
  test.for([
    'mv x y',
    'rmdir x',
    'unlink x',
    'shred -u x',
    'truncate -s 0 x',
    'git clean -fd',
    'git mv x y',
    'git reset --hard',
    'git worktree remove x',
    'find . -delete',
    'find . -fprint x',
    'find . -fprintf x y',
    'ln -sf x y',
    'ln --force x y',
    'cp /dev/null x',
    'dd if=x of=y',
    'sed -i d x',
    "sed -i '' 1d x",
    'gzip x',
    'ls | tee x',
    ': > x',
    'true >| x',
    '> x',
    'cat /dev/null > x',
    'echo -n > x',
    "printf '' &> x",
    '$X > x',
    'exec > x',
    'nohup mv x y',
  ])('is asked about where `rm` is denied, whatever does it: %s', (command) => {
    expect(bash(noRm, command)).toBe('ask');
    expect(bash([{ command: 'rm -rf', decision: 'deny' }], command)).toBe('ask');
    expect(bash([{ command: 'rm x y', decision: 'deny' }], command)).not.toBe('deny');
  });

  test.for([
    'ln -s x y',
    'cp x y',
    'dd if=x',
    "sed -i 's/a/b/' x",
    'sed d x',
    'echo x > y',
    'printf x > y',
    'ls > x',
    'cat > x <<E\nx\nE',
    ': >> x',
    ': > /dev/null',
    'echo >&2',
    'git reset x',
    'git restore x',
    '{ ls; } > x',
    'git stash',
  ])('is not: %s', (command) => expect(bash(noRm, command)).toBe('leave'));

  test('is another thing than what other rules deny', () => {
    for (const command of ['mv x y', ': > x', 'git clean -fd'])
      expect([command, bash([{ command: 'rm x', decision: 'deny' }], command)]).toEqual([command, 'leave']);
    expect(bash([{ command: 'docker', decision: 'deny' }], 'mv x y')).toBe('leave');
    expect(bash([{ command: 's*', decision: 'deny' }], 'mv x y')).toBe('ask');
  });
});

describe('the words of a denied command', () => {
  const rule = (command: string) => [{ command, decision: 'deny' }];

  test('are looked for in order, and options may stand between them', () => {
    const noDown = rule('docker compose down');
    expect(bash(noDown, 'docker compose down -v')).toBe('deny');
    expect(bash(noDown, 'docker -f x compose -v down')).toBe('ask');
    expect(bash(noDown, 'docker compose x down')).toBe('ask');
    expect(bash(noDown, 'docker down compose')).toBe('ask');
    expect(bash(noDown, 'docker compose ps')).toBe('leave');
    expect(bash(noDown, 'docker logs down')).toBe('leave');
    const noPs = rule('docker compose ps');
    expect(bash(noPs, 'docker compose -f x ps')).toBe('ask');
    expect(bash(noPs, 'docker compose -f x logs ps')).toBe('ask');
    expect(bash(noPs, 'docker ps')).toBe('leave');
    expect(bash(noDown, 'docker $X')).toBe('ask');
    expect(bash(noDown, 'docker $X $Y')).toBe('ask');
    expect(bash(noDown, 'docker compose $Y')).toBe('ask');
    expect(bash(rule('git  push\t--force'), 'git push --force')).toBe('deny');
    expect(bash(rule('git push --force'), 'git push')).toBe('ask');
    expect(bash(rule('export PATH=*'), 'export PATH=/x')).toBe('deny');
    expect(bash(rule('export PATH=*'), 'export x=/x')).toBe('leave');
    expect(bash(rule('export PATH=x'), 'export PATH=$X')).toBe('ask');
  });

  test('may hold stars, also the program', () => {
    expect(bash(rule('r*'), 'rmdir x')).toBe('deny');
    expect(bash(rule('git pu*'), 'git pull')).toBe('deny');
    expect(bash(rule('git *'), 'git')).toBe('deny');
    expect(bash(rule('RM'), 'rm x')).toBe('deny');
    expect(bash(rule('git PUSH'), 'git push')).toBe('ask');
    expect(bash(rule('git PULL'), 'git pull')).toBe('leave');
  });

  test('may name the program by its path', () => {
    for (const command of ['./deploy.sh x', 'deploy.sh', '/srv/deploy.sh', 'sudo ./DEPLOY.sh'])
      expect([command, bash(rule('./deploy.sh'), command)]).toEqual([command, 'deny']);
    expect(bash(rule('./deploy.sh'), 'ls x')).toBe('leave');
    expect(bash(rule('scripts/*'), 'scripts/x')).toBe('deny');
    expect(bash(rule('scripts/*'), 'other/x')).toBe('ask');
    expect(bash(rule('scripts/*'), 'ls x')).toBe('leave');
  });

  test('are found in what is put together from several, or stands in one of many', () => {
    expect(bash(rule('git push'), 'eval git push')).toBe('deny');
    expect(bash(rule('git push'), 'eval "ls; git push"')).toBe('deny');
    expect(bash(rule('git push'), 'env -S "git push"')).toBe('deny');
    expect(bash(rule('git push'), 'env -S "git pull"')).toBe('ask');
    expect(bash(rule('git push'), 'env x -S "git -C y push"')).toBe('ask');
    expect(bash(rule('git push'), 'timeout 5 git -C x push')).toBe('ask');
    expect(bash(noRm, 'nice -n $X ls')).toBe('ask');
    expect(bash(noRm, 'xargs -I{} x{} y')).toBe('ask');
    expect(bash(noRm, 'timeout 5 ./x')).toBe('ask');
    expect(bash(rule('git push'), 'git -C x stash push')).toBe('leave');
    expect(bash(rule('git commit'), 'git -C x commit -m y')).toBe('ask');
    expect(bash(noRm, 'ls {}')).toBe('leave');
  });
});

describe('an allowed command', () => {
  test.for([
    'ls < x',
    'ls >/dev/null',
    'ls 2>/dev/null',
    'ls 2>&1',
    'ls >&2',
    'ls 12>&10',
    'ls 2>&-',
    'ls <<< x',
    'ls <<E\nx\nE',
  ])('may read, and write to nothing: %s', (command) => {
    expect(bash(ls, command)).toBe('allow');
  });

  test.for([
    'ls > x',
    'ls >| x',
    'ls &> x',
    'ls >& x',
    'ls >& x1',
    'ls >& 1x',
    'ls >& $X',
    'ls >>x',
    'ls <> x',
    'ls 2> 1',
    'ls > "$X"',
    'ls > /dev/null/x',
  ])('does not write: %s', (command) => expect(bash(ls, command)).toBe('leave'));

  test('has every word of the rule, as it is written', () => {
    const given = [{ command: 'git stat* -s', decision: 'allow' }];
    expect(bash(given, 'git status -s x')).toBe('allow');
    for (const command of [
      'git status',
      'git -s status',
      'git',
      'GIT status -s',
      'git $X -s',
      '/bin/git status -s',
    ])
      expect([command, bash(given, command)]).toEqual([command, 'leave']);
    expect(bash([{ command: 'l*', decision: 'allow' }], 'ls')).toBe('leave');
    expect(bash([{ command: 'echo *', decision: 'allow' }], 'echo x')).toBe('allow');
    expect(bash([{ command: 'echo *', decision: 'allow' }], 'echo "$X"')).toBe('leave');
  });

  test('sets no variable, neither before it nor as its word', () => {
    for (const command of ['A=1 ls', 'ls; A=1', 'A=1', 'A=(1 2) ls'])
      expect([command, bash(ls, command)]).toEqual([command, 'leave']);
    expect(bash([{ command: 'export', decision: 'allow' }], 'export A=1')).toBe('leave');
  });
});

describe('a command that cannot be taken apart', () => {
  const deepest = `${'$('.repeat(6_000)}${')'.repeat(6_000)}`;

  test('is one that is too long, has too many parts, is nested too deeply or is no whole one', () => {
    const fits = (command: string) => bash(ls, command) === 'allow';
    const long = (length: number) => `ls ${'x'.repeat(length - 3)}`;
    expect([fits(long(20_000)), fits(long(20_001))]).toEqual([true, false]);
    const many = (count: number) => 'ls;'.repeat(count);
    expect([fits(many(500)), fits(many(501))]).toEqual([true, false]);
    const wide = (count: number) => `ls${' x'.repeat(count - 1)}`;
    expect([fits(wide(1_000)), fits(wide(1_001))]).toEqual([true, false]);
    const spread = (count: number) => `ls${' x'.repeat(499)};ls${' x'.repeat(count - 501)}`;
    expect([fits(spread(1_000)), fits(spread(1_001))]).toEqual([true, false]);
    for (const command of [deepest, 'ls \0', 'ls "', 'ls $(', 'ls (x)', 'if true; then ls'])
      expect([command.slice(0, 20), bash(ls, command), bash(noRm, command)]).toEqual([
        command.slice(0, 20),
        'leave',
        'ask',
      ]);
  });

  test('is allowed by no rule, not even by one for everything, and says so', () => {
    const all = [{ tool: 'Bash', decision: 'allow' }];
    expect(ruling(all, 'Bash', { command: 'ls "' })).toEqual({
      decision: 'leave',
      why: 'no rule fits: Claude Code decides, by its permission mode (the command cannot be taken apart)',
    });
    expect(ruling(all, 'Bash', { command: 'ls' })).toEqual({
      decision: 'allow',
      why: 'rule 1 (allow)',
      rule: 1,
    });
    expect(says([{ tool: 'Bash', decision: 'deny' }], 'Bash', { command: 'ls "' })).toBe('deny');
    expect(ruling([], lent('exec'), { command: 'ls "' })).toEqual({
      decision: 'ask',
      why: "no rule fits, and the hub's `exec` may change something",
    });
  });

  test('may mean every path and every host that is denied', () => {
    expect(bash([{ path: '/x', decision: 'deny' }], 'ls "')).toBe('ask');
    expect(bash([{ host: 'x', decision: 'deny' }], 'ls "')).toBe('ask');
    expect(bash([{ path: '/', decision: 'allow' }], 'ls "')).toBe('leave');
  });

  test('is none that says nothing', () => {
    for (const command of ['', ' ', '# rm x']) {
      expect(bash(noRm, command)).toBe('leave');
      expect(bash([{ tool: 'Bash', decision: 'allow' }], command)).toBe('allow');
    }
  });
});

describe('what a word says', () => {
  test.for([
    ['"rm" x', 'deny'],
    ["'rm' x", 'deny'],
    ["$'rm' x", 'deny'],
    ['$"rm" x', 'deny'],
    ['r"m" x', 'deny'],
    ['r* x', 'ask'],
    ['r? x', 'ask'],
    ['$rm x', 'ask'],
    [`\${rm} x`, 'ask'],
    ['$(echo rm) x', 'ask'],
    ['~ x', 'ask'],
    ['"~rm" x', 'ask'],
    ["'$rm' x", 'ask'],
    ['{rm,x}', 'ask'],
    ['"$(echo)rm" x', 'ask'],
  ])('of the program: %s', ([command = '', decision]) => expect(bash(noRm, command)).toBe(decision));

  const noHome = [{ path: '~', decision: 'deny' }];
  test.for([
    ['cat ~', 'deny'],
    ['cat ~/x', 'deny'],
    ['cat ~root/x', 'ask'],
    ['cat "~/x"', 'leave'],
    ['cat \\~/x', 'leave'],
    ['cat x~', 'leave'],
    ['cat $HOME', 'deny'],
    ['cat "$HOME"/x', 'deny'],
    [`cat \${HOME}/x`, 'deny'],
    ["cat '$HOME'/x", 'leave'],
    [`cat \${HOME%u}/x`, 'ask'],
    [`cat \${HOME:-/x}/x`, 'ask'],
    [`cat \${HOME[0]}/x`, 'ask'],
    [`cat \${!HOME}/x`, 'ask'],
    [`cat \${#HOME}/x`, 'ask'],
    ['cat $HOMES/x', 'ask'],
    ['cat =x/y', 'ask'],
    ['cat "x"~/y', 'leave'],
    ['cat $PWD/x', 'leave'],
    ['cat $PWD/../../home/u', 'deny'],
    [`cat \${PWD}/x`, 'leave'],
    ['cat $OLDPWD/x', 'ask'],
    ['cat $(pwd)/x', 'ask'],
    ['cat /home/$X', 'ask'],
    ['cat /etc/$X', 'ask'],
    ['HOME=/x cat ~/y', 'ask'],
    ['PWD=/x; cat $PWD/y', 'ask'],
    ['export HOME=/x; cat y', 'ask'],
    ['export HOME=/x; cat < ~/y', 'ask'],
    ['HOME=/x; Y=~/y', 'ask'],
    ['HOMES=/x; cat /y ~/z', 'deny'],
    ['(cat) < ~/x', 'deny'],
    ['{ cat; } > ~/x', 'deny'],
    ['export A=~/x', 'deny'],
    ['A=(~/x) ls', 'ask'],
    ['export A=(x)', 'ask'],
  ])('of a path: %s', ([command = '', decision]) => expect(bash(noHome, command)).toBe(decision));
});
