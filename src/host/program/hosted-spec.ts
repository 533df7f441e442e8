import type { HostedSpec } from '../../protocol/wire/host.ts';

/** @throws SyntaxError or TypeError when it is none */
export function readHostedSpec(bytes: Buffer): HostedSpec {
  const { argv, env, cwd, contained } = JSON.parse(bytes.toString()) as Partial<
    Record<keyof HostedSpec, unknown>
  >;
  const isGiven = Array.isArray(argv) && argv.length > 0 && argv.every(isText);
  const isEnv = typeof env === 'object' && env !== null && Object.values(env).every(isText);
  if (!isGiven || !isEnv || !isText(cwd)) throw new TypeError('what to start is not said');
  return {
    argv: argv as [string, ...string[]],
    env: env as Record<string, string>,
    cwd,
    ...(contained === true && { contained }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
