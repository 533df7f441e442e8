// Loaded in front of a program: writes down, when it ends, which files it has loaded and which parts of Node, and
// which of these before its first word. In plain JavaScript, because what strips types would count among those.
import fs, { writeFileSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const urls = [];
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) urls.push(url);
    if (url === 'node:vm') traceScripts();
    return next(url, context);
  },
});
// What src/base/process/kept-code.ts loads comes past Node's loader. Nothing is loaded for this alone: it would count.
const { getBuiltinModule } = process;
process.getBuiltinModule = (id) => {
  if (id === 'node:vm') traceScripts();
  return getBuiltinModule(id);
};
let isTraced = false;
function traceScripts() {
  if (isTraced) return;
  isTraced = true;
  const vm = getBuiltinModule('node:vm');
  vm.Script = traced(vm.Script);
}
const traced = (Script) =>
  class extends Script {
    constructor(source, options) {
      super(source, options);
      if (options?.filename) urls.push(pathToFileURL(options.filename).href);
    }
  };
const builtins = () =>
  process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13));
// As `up` tells that it is ready, past the streams of Node.
let before;
fs.writeSync = (fd, ...rest) => {
  if (fd === 1) before ??= builtins();
  return writeSync(fd, ...rest);
};
process.on('exit', () => {
  writeFileSync(process.env.TRACE_FILE ?? '', JSON.stringify({ urls, builtins: builtins(), before }));
});
