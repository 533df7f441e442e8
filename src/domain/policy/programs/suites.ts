// Programs with subcommands of which only some run what a project, a package or an image says. Those that look are here.
import { type Manner, mannerOf, manners, type Told } from './manner.ts';

export const suiteManners = manners([
  [
    `npm/ls npm/list npm/root npm/prefix npm/why npm/explain npm/outdated npm/view npm/info npm/show npm/search
     npm/fund npm/whoami pnpm/ls pnpm/list pnpm/why pnpm/outdated yarn/list yarn/why yarn/info bun/pm/ls
     npm/config/get npm/config/list npm/pkg/get`,
    {
      short: 'glaDr',
      long: 'all depth= json long parseable global production dev omit= include= prod silent recursive',
      speaks: 'words',
    },
  ],
  ['npm/audit', { long: 'json omit= production', speaks: 'words', most: 0 }],
  ['cargo/fmt', { long: 'all check', most: 0 }],
  [
    'cargo/metadata cargo/tree cargo/search cargo/locate-project cargo/pkgid',
    {
      short: 'p:i:d',
      long: 'format-version= no-deps depth= package= invert= duplicates workspace edges= offline message-format=',
      speaks: 'words',
    },
  ],
  ['rustup/show rustup/which rustup/toolchain/list rustup/target/list', { long: 'installed' }],
  // They compile, and fetch what go.mod names; nothing that was compiled is run.
  [
    'go/build go/vet go/list go/version go/env go/doc go/fmt go/mod/graph go/mod/why go/mod/verify go/mod/tidy go/mod/download',
    {
      long: 'o= v race tags= x n a trimpath p= mod= json f= m deps test u all src t',
      oneDash: true,
      speaks: 'words',
    },
  ],
  [
    'pip/list pip/show pip/freeze pip/check pip3/list pip3/show pip3/freeze pip3/check pipx/list uv/tree uv/pip/list uv/pip/show poetry/show',
    { short: 'f', long: 'outdated format= files local user', speaks: 'words' },
  ],
  [
    `docker/ps docker/images docker/logs docker/inspect docker/stats docker/top docker/port docker/version docker/info docker/diff
     docker/history docker/events docker/compose/ps docker/compose/logs docker/compose/config docker/compose/ls docker/compose/images
     docker/compose/top docker/compose/version docker/network/ls docker/network/inspect docker/volume/ls docker/volume/inspect docker/image/ls
     docker/image/inspect docker/container/ls docker/container/inspect docker/context/ls docker/system/df docker/stop docker/compose/stop
     docker/compose/port podman/ps podman/images podman/logs podman/inspect podman/stats podman/top podman/info podman/version docker-compose/ps docker-compose/logs
     docker-compose/config`,
    {
      short: 'aqfnltsp:',
      long: 'all quiet follow filter= format= no-trunc latest last= size since= until= tail= timestamps no-stream details no-color services volumes no-log-prefix type= time= status= profiles',
      text: 'all',
    },
  ],
  [
    `kubectl/get kubectl/describe kubectl/top kubectl/version kubectl/explain kubectl/cluster-info kubectl/api-resources
     kubectl/api-versions kubectl/top/pod kubectl/top/node kubectl/config/get-contexts kubectl/config/current-context kubectl/rollout/status kubectl/rollout/history
     kubectl/events helm/list helm/status helm/history helm/version`,
    {
      speaks: 'words',
      short: 'n:o:l:f:Awc:pL:',
      long: 'namespace= output= selector= all-namespaces watch tail= follow since= previous container= all-containers field-selector= sort-by= show-labels no-headers context= client timestamps containers label-columns=',
    },
  ],
  [
    'kubectl/logs',
    {
      short: 'n:l:c:pf',
      long: 'namespace= selector= tail= follow since= previous container= all-containers context= timestamps',
      speaks: 'words',
    },
  ],
  [
    `gh/pr/view gh/pr/list gh/pr/status gh/pr/diff gh/pr/checks gh/issue/view gh/issue/list gh/issue/status gh/run/view
     gh/run/list gh/run/watch gh/repo/view gh/repo/list gh/release/view gh/release/list gh/workflow/list gh/workflow/view gh/auth/status
     gh/label/list gh/search/issues gh/search/prs gh/search/code gh/search/repos gh/api gh/cache/list gh/secret/list gh/variable/list`,
    {
      short: 'R:L:s:S:A:a:l:H:B:j:c',
      long: 'repo= json= jq= template= limit= state= search= author= assignee= label= head= base= comments log log-failed job= name-only patch watch interval= exit-status branch= workflow= status= user= event= required draft verbose owner= language=',
      text: 'all',
      speaks: 'words',
      says: '-S --search',
    },
  ],
  [
    'terraform/version terraform/fmt terraform/output',
    { long: 'check diff recursive json raw', oneDash: true },
  ],
  [
    'brew/list apt/list apt/show apt/search apt-cache/policy apt-cache/show apt-cache/search',
    {
      short: 'qvlsL',
      long: 'versions installed json cask formula upgradable all-versions check diff recursive',
      text: 'all',
    },
  ],
]);

/** Options before the subcommand. */
export const suiteGlobals: ReadonlyMap<string, Manner> = new Map(
  Object.entries<Told>({
    docker: {},
    'docker/compose': { short: 'f:p:', long: 'file= project-name= profile= env-file=' },
    kubectl: { short: 'n:', long: 'namespace= context=' },
    gh: { short: 'R:', long: 'repo=' },
    npm: { long: 'silent prefix= workspace=', short: 'sw:' },
    systemctl: { long: 'user system no-pager' },
    terraform: { long: 'chdir=', oneDash: true },
  }).map(([name, told]) => [name, mannerOf(told)]),
);

/** Interpreters, compilers and the like, of which nothing is known but that they tell their version. */
export const tellsVersion = new Set(
  `node npm npx pnpm yarn bun deno tsx tsc vitest jest eslint prettier biome python python3 pip pip3 pipx uv uvx poetry pytest
   mypy black ruff ruby gem bundle rake perl php composer go cargo rustc rustup gcc g++ clang cc make cmake ninja java javac mvn
   gradle kotlin scala dotnet docker docker-compose podman kubectl helm terraform ansible aws gcloud az gh glab git bash zsh fish
   psql mysql sqlite3 redis-cli mongo nginx openssl ssh tmux vim nvim emacs code claude brew apt ffmpeg convert pandoc jq rg fd curl wget
   tar zip rsync protoc buf nix swift xcodebuild flutter dart elixir erl ghc stack lua julia R Rscript`.split(
    /\s+/,
  ),
);
