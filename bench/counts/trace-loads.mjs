// Loaded in front of a program: writes down, when it ends, which files it has loaded and which parts of Node. In plain
// JavaScript, because what strips types would count among those.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const urls = [];
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) urls.push(url);
    return next(url, context);
  },
});
process.on('exit', () => {
  const builtins = process.moduleLoadList
    .filter((name) => name.startsWith('NativeModule '))
    .map((name) => name.slice(13));
  writeFileSync(process.env.TRACE_FILE ?? '', JSON.stringify({ urls, builtins }));
});
