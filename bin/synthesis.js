#!/usr/bin/env node
// Plain syntax on purpose: this file must parse on an old Node, to say in words that it is too old.
var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    'synthesis needs Node.js 24 or newer; this is ' +
      process.version +
      ' (' +
      process.execPath +
      '). Install Node 24 and run the same command again.\n',
  );
  process.exit(1);
} else {
  enableCompileCache(process.env);
  load().run(process.argv);
}

function load() {
  try {
    return require('../dist/cli/kept-main.cjs');
  } catch (error) {
    process.stderr.write(
      `synthesis is not built: ${error.message.split('\n')[0]}\nRun "npm run build" in its folder.\n`,
    );
    process.exit(1);
  }
}

/**
 * Compiled code is kept in `$SYNTHESIS_HOME/cache`, else `$XDG_CACHE_HOME/synthesis`, else `~/.cache/synthesis`, and only
 * where nobody else can write. Node's own choice is a folder in /tmp, which on a shared machine anybody can make first:
 * what lies there is run, whatever our files say.
 */
function enableCompileCache({ SYNTHESIS_HOME, XDG_CACHE_HOME, HOME }) {
  const caches = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`);
  const dir = SYNTHESIS_HOME ? `${SYNTHESIS_HOME}/cache` : caches && `${caches}/synthesis`;
  if (!dir) return;
  try {
    const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs');
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(dir);
    const isClosed =
      process.platform === 'win32' || (uid === process.geteuid() && (mode & 0o170022) === 0o040000);
    if (isClosed) process.getBuiltinModule('node:module').enableCompileCache(dir);
  } catch (_error) {
    // Without it every command takes some milliseconds more.
  }
}
