import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '../..');

/** Loaded from node_modules as they are, as of the built program. */
const external = /^(?:node:|@lydell\/|@xterm\/)/;

/**
 * A program of the sources as one file, as it is built: a start from its many files takes twice as much of the processor.
 * It is made of what the sources are now.
 *
 * @param source its path
 */
export async function oneFile(source: string): Promise<string> {
  const name = relative(root, source).replaceAll('/', '-').replace(/ts$/, 'js');
  // As far below the root as the built ones are, which look for their files there.
  const path = join(root, 'node_modules/.cache', name);
  const bundle = await rolldown({ input: source, platform: 'node', external });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const { code } = output[0];
  // Others may just be starting it.
  if (existsSync(path) && readFileSync(path, 'utf8') === code) return path;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, code);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}
