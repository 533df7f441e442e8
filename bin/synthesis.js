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
  process.getBuiltinModule('node:module').enableCompileCache();
  import('../dist/cli/main.js').then(
    (cli) => cli.main(process.argv),
    (error) => {
      process.stderr.write(`synthesis is not built: ${error.message}\nRun "npm run build" in its folder.\n`);
      process.exit(1);
    },
  );
}
