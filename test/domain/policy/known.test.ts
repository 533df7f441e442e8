// What is known of programs: for each row of the tables some commands that are known, and some that are not.
import { describe, expect, test } from 'vitest';
import { bash } from './says.ts';

const rules = [
  { command: 'denied', decision: 'deny' },
  { path: '/denied', decision: 'deny' },
  { host: 'denied.example', decision: 'deny' },
];
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

describe('of these all is known, so that they pass by rules about something else', () => {
  test.for(
    lines(
      String.raw`
      cat -A x
      head -c 400 x
      stat -c %s x
      cp -r x y
      test -f x
      [ -d x ]
      basename $(pwd)
      dirname "$x"
      wc -l x
      wc --max-line-length x
      du -sh --max-depth=1 x
      du -d 1 x
      file -b --mime-type x
      md5sum -b x
      sha256sum --tag x
      shasum -a 256 x
      sort -t, -k2 -nr x
      sort --key=2 --unique x
      sort --field-separator , x
      grep -rn -e x --include=*.ts y
      grep -A 3 "$x" y
      grep --exclude-dir node_modules -r x .
      rg -n -g "*.ts" --type ts x src
      rg --files --hidden
      rg -e "$x" --max-depth=2 y
      fd -H -e ts x
      fd --type f --exclude x y
      jq -r ".x" y
      jq --arg x y "." z
      tar czf x.tgz y
      tar -xzf x.tgz -C y --strip-components=1
      tar --list --file=x
      zip -r x.zip y -x z
      unzip -q x.zip -d y
      zcat x
      ln -s x y
      tsc -p x --noEmit
      gofmt -l .
      shellcheck -s bash x
      biome check --write x
      ruff check --select=E x
      mypy --strict x
      less -N x
      less +G x
      less +10 x
      echo "$x" rm
      echo -e
      printf "%s\n" "$x"
      true
      :
      sleep 5
      kill -9 $x
      tr a b
      ps aux
      lsof -t -i:3000
      date -u +%F
      date -d yesterday
      set -euo pipefail
      shopt -s globstar
      export x="$y"
      export NODE_ENV=x
      readonly x
      unset -f x
      read -r x y
      read -p "$x" y
      mapfile -t x
      getopts ab: x
      systemctl --user status x
      systemctl is-active x
      journalctl -u x -n 50 --no-pager
      dpkg -l x
      ping -c 1 x
      dig x
      nc -zv x 80
      curl -sS -o x -H "a: $b" http://x
      curl --data @x --max-time 5 http://x
      wget -q -O x http://y
      wget --header "$x" http://y
      http --json x
      scp -r x y
      rsync -avz --exclude x y z
      git status -sb
      git -C x -c color.ui=never --no-pager log --oneline -5
      git log -M -C90 --decorate --decorate=full --pretty --stat --stat=80 -5 x
      git status -uno --porcelain=v2
      kubectl logs -f --tail=5 x
      git log --grep "$x" --since=yesterday --format=%H
      git diff --stat -U3 x..y -- z
      git diff --cached --name-only
      git show -S "$x" y
      git ls-files --others --exclude-standard
      git blame -L 1,5 x
      git merge-base --is-ancestor x y
      git rev-parse --show-toplevel --abbrev-ref=strict HEAD
      git describe --tags --always
      git cat-file -p x
      git grep -n -e "$x" y
      git add -A
      git add -p x
      git commit -qam "$(cat <<E
      E
      )"
      git commit --amend --no-edit --author "$x"
      git branch -d x
      git branch --sort=-date --format="%x"
      git tag -a v1 -m "$x"
      git switch -c x
      git checkout -b x
      git checkout -- x
      git restore --staged x
      git stash
      git stash push -m "$x" y
      git stash list --oneline
      git reset --soft x
      git merge --no-ff -m "$x" y
      git rebase --onto x y
      git cherry-pick -x y
      git fetch --all --prune
      git pull --rebase
      git ls-remote --heads x
      git clone --depth=1 x y
      git init -b x y
      git remote
      git remote -v
      git remote get-url x
      git remote add x y
      git worktree add -b x y
      git config --get x
      git config user.name x
      git config x
      git bisect good x
      git submodule status
      git sparse-checkout list
      npm ls --depth=0
      npm view x versions --json
      npm audit --omit=dev
      cargo fmt --check
      cargo tree -p x
      rustup show
      go build ./...
      go list -m -json all
      go mod tidy
      pip list --outdated
      uv pip show x
      docker ps -a --format "x"
      docker logs -f --tail 5 x
      docker compose -f x ps
      docker compose logs x
      docker container ls
      kubectl -n x get pods -o wide
      kubectl config current-context
      gh pr view 1 --json x
      gh -R x/y run list --limit 5
      gh api repos/x/y --jq .x
      brew list --versions
      apt-cache policy x
      terraform -chdir=x fmt -check
      node --version
      bash --help
      sed -n "1,5p" x
      sed -E "s/a/b/g; s|c|d|" x
      sed -e '$!N' -e "/x/,/y/d" z
      sed "/x/a text; w y" z
      sed "s/[ab]/c/" x
      awk -F, -v x=1 "{print x}" y
      awk "x || y" z
      node -p "process.versions.node"
      node -e "console.log(require('./x.json').y)"
      sqlite3 -readonly x.db "select count(*) from y where z in (1)"
      sqlite3 x.db ".tables"
      dd if=x bs=1
      npx tsc --noEmit
      npx --no-install biome check x
      find . -type f -name "*.ts" -maxdepth 2 -not -path "x" -print0
      find -O2 . -newer x
      diff <(sort x) <(sort y)
      for x in a/*.ts; do cat "$x"; done
    `.replace('<<E\n      E\n      )', 'x)'),
    ),
  )('%s', (command) => expect(bash(rules.slice(0, 1), command)).toBe('leave'));
});

describe('of these something is not, so that they may do anything', () => {
  test.for(
    lines(`
      sort --compress-program=x y
      sort -k --compress-program=x y
      git log -M --ext-diff
      git log -S --ext-diff
      git log --decorate --ext-diff
      git log --pretty --ext-diff
      git status -u --ext-diff
      xargs --replace x ls
      xargs --max-lines x ls
      kubectl logs -f --kubeconfig=x y
      zip x.zip y -x -TT z
      timeout -s -x ls
      npm_config_viewer=x npm view y
      sort --compress-prog=x y
      sort $x
      sort -T x y
      rg --pre x y
      rg --pre=x y
      rg -nz x
      fd -x y
      fd . -X y
      tar --to-command=x -xf y
      tar -I x -xf y
      tar cIf x y z
      tar --checkpoint-action=exec=x -cf y z
      tar
      zip -TT x y z
      less +!x y
      less "+/x" y
      printf -v x y
      printf "$x"
      printf
      true x
      unset 'x[$(y)]'
      read 'x[$(y)]'
      export 'x[$y]'
      declare -i x
      [ -v x ]
      mapfile -C x -c 1 y
      systemctl start x
      systemctl
      journalctl --vacuum-time=1s
      curl -K x
      curl --config x
      curl -x y z
      curl -w "%output{x}" y
      wget -i x
      wget --use-askpass=x
      rsync -e x y z
      rsync --rsync-path=x y z
      scp -S x y z
      sftp x
      git
      git x
      git -p log
      git --exec-path=x status
      git --git-dir=x status
      git -c core.pager=x log
      git -c $x log
      git $x
      git log --ext-diff
      git log --output=x
      git log $x
      git diff --ext-d
      git grep -Ox y
      git rebase -x y z
      git rebase -i x
      git bisect run x
      git submodule foreach x
      git submodule update
      git fetch ext::x
      git clone --upload-pack=x y
      git clone -c x=y z
      git clone "$x"
      git remote update
      git remote x
      git stash x
      git config alias.x y
      git config $x y
      git add -e
      git branch --edit-description
      npm audit fix
      npm test
      npm run x
      npm
      cargo build
      cargo fmt x
      go run .
      go env -w x=y
      go build -toolexec=x
      pip install x
      docker run x
      docker compose up
      docker -H x ps
      docker $x
      kubectl exec x
      kubectl --kubeconfig=x get y
      gh pr create
      gh api -X POST x
      gh pr view --web
      terraform apply
      node x --version
      whatever --version
      node -p "process.exit()"
      node -p "require('x')"
      node -e "process.version"
      node -p "require('../x.json')"
      node -p "require('./x.js')"
      node -p "require('./x..json')"
      node x
      sed -f x y
      sed "s/a/b/e" x
      sed "s/a/b/w x" y
      sed "s/[/]/x/" y
      sed 's/[]/x/;/]/p;/p;e x #/p' y
      sed '/[]/s/]/p;e x #/' y
      sed "w x" y
      sed "1e x" y
      sed "r x" y
      sed "s/a" x
      sed "$x" y
      sed
      awk -f x y
      awk "BEGIN{system(1)}"
      awk "{print > 1}"
      awk "{print | 1}"
      awk "getline < 1"
      awk "@load 1"
      awk "BEGIN{ARGV[1]=2}"
      awk "$x" y
      awk
      sqlite3 x ".shell y"
      sqlite3 x "select writefile(1, 2)"
      sqlite3 x "select writefile/**/(1, 2)"
      sqlite3 x "select [writefile](1, 2)"
      sqlite3 x "select 1; select 2"
      sqlite3 x "delete from y"
      sqlite3 x
      sqlite3 x "select 1" y
      dd x
      npx x
      npx -p x tsc
      find . -exec x y
      find . -execdir
      find . -files0-from x
      find $x
      find "$x" -name y
    `),
  )('%s', (command) => expect(bash(rules.slice(0, 1), command)).toBe('ask'));
});

describe('what a program opens that no word of it names', () => {
  test.for(
    lines(`
      wc --files0-from=x
      du --files0-from=x
      file -f x
      md5sum -c x
      cksum --check x
      shellcheck -x y
      git apply x
      xargs cat
      env FOO=1 ls
      whatever
      sh -c "$x"
      curl -H "@$x" y
      PATH=x
      grep --color x "$y"
    `),
  )('may be the denied path: %s', (command) => expect(bash(rules.slice(1, 2), command)).toBe('ask'));

  test.for(
    lines(`
      wc -l x
      git commit -m "$x"
      git commit -m "a, b, c, d, e, f, g, h, i, j = k: l"
      echo "$x"
      grep "$x" y
      xargs echo
      find . -name "$x"
      curl "http://x/$y"
      sed -n "1p" x
    `),
  )('is nothing: %s', (command) => expect(bash(rules.slice(1, 2), command)).toBe('leave'));

  test.for(
    lines(`
      echo /denied/*
      curl -F "x=</denied/y" z
      curl -F "x=@/denied/y;type=z" z
      git show HEAD:/denied/x
      git commit -F /denied/x
      curl -H @/denied/x y
      curl -o../../denied/x y
      curl -sSo../../denied/x y
      cd /; wget -Odenied/x y
      cd /; node -p "require('./denied/x.json')"
      cd /; node -e "console.log(require('./denied/x.json').y);"
      bash -c "cat /denied/x"
    `),
  )('is the denied path, wherever in a word it stands: %s', (command) =>
    expect(bash(rules.slice(1, 2), command)).toBe('deny'),
  );
});

describe('a rule that allows a program of which something is known', () => {
  const allowed = (command: string, words: string) => bash([{ command, decision: 'allow' }], words);

  test('does not allow what makes another thing of it', () => {
    expect(allowed('find', 'find . -name x')).toBe('allow');
    expect(allowed('find', 'find . -exec x y ;')).toBe('leave');
    expect(allowed('find', 'find . -delete')).toBe('leave');
    expect(allowed('sort', 'sort -u x')).toBe('allow');
    expect(allowed('sort', 'sort --compress-program=x y')).toBe('leave');
    expect(allowed('git log', 'git log --oneline')).toBe('allow');
    expect(allowed('git log', 'git log --output=x')).toBe('leave');
    expect(allowed('env', 'env ls')).toBe('leave');
    expect(allowed('xargs grep', 'xargs grep x')).toBe('allow');
    expect(allowed('xargs', 'xargs ls')).toBe('leave');
  });

  test('allows all of one of which nothing is known', () => {
    expect(allowed('npm test', 'npm test -- --watch')).toBe('allow');
    expect(allowed('git', 'git push')).toBe('allow');
    expect(allowed('mv', 'mv x y')).toBe('allow');
  });
});
