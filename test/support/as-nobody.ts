// Root may read and write everything, so what a closed folder does to others is seen by another process.
import { execFileSync } from 'node:child_process';

const nobody = 65_534;

/**
 * What `call` gives back in a process of a user who is not root, as JSON.
 *
 * @param file absolute path of a module of this project
 * @param name of a function that it exports; what it throws is given back as its message
 */
export function asNobody(file: string, name: string, ...args: unknown[]): unknown {
  const program = `process.setuid?.(${process.geteuid?.() === 0 ? nobody : process.geteuid?.()});
    const { ${name}: call } = await import(${JSON.stringify(file)});
    const said = await Promise.resolve().then(() => call(...${JSON.stringify(args)})).catch((error) => error.message);
    console.log(JSON.stringify(said));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
  );
}
