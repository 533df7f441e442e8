// flags > environment > file > default. Loaded only where it is needed: zod costs start-up time.
import type { ZodError } from 'zod';
import { Config } from '../../protocol/settings/config.ts';
import { CliError } from '../cli-error.ts';
import { type ConfigLayer, readConfigFile } from './config-file.ts';
import { unknownKeyWords } from './unknown-key.ts';

type Env = Record<string, string | undefined>;

/** Environment variables that stand for a config key. */
const variables = {
  SYNTHESIS_PORT: ['port', Number],
  SYNTHESIS_CLAUDE: ['claude', String],
  SYNTHESIS_CWD: ['cwd', String],
  SYNTHESIS_PERMISSION_MODE: ['permissionMode', String],
  SYNTHESIS_DELIVERY: ['delivery', String],
} as const;

function envLayer(env: Env): ConfigLayer {
  const layer: ConfigLayer = {};
  for (const [name, [key, read]] of Object.entries(variables)) {
    const value = env[name];
    if (value) layer[key] = read(value);
  }
  return layer;
}

const withoutUndefined = (layer: ConfigLayer): ConfigLayer =>
  Object.fromEntries(Object.entries(layer).filter(([, value]) => value !== undefined));

/** @throws CliError `bad_config` that names every wrong or unknown key and where it came from. */
export function readConfig(path: string, env: Env, flags: ConfigLayer): Config {
  const merged = { ...readConfigFile(path), ...envLayer(env), ...withoutUndefined(flags) };
  return checkedConfig(
    merged,
    `The configuration is not valid (${path}, environment and flags together)`,
    'Correct these; nothing was started.',
  );
}

/** @throws CliError `bad_config` that begins with `message` and names every wrong or unknown key. */
export function checkedConfig(layer: ConfigLayer, message: string, suggestion: string): Config {
  // It is parsed once: a program made for it would cost more than it saves.
  const parsed = Config.safeParse(layer, { jitless: true });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .flatMap((issue) => meant(issue))
    .map(({ path, message: words }) => `  ${path.join('.') || 'the file'}: ${words}`);
  throw new CliError('usage', 'bad_config', `${message}:\n${faults.join('\n')}`, suggestion);
}

type Issue = ZodError['issues'][number];
type Fault = Pick<Issue, 'path' | 'message'>;

/** Of a value that fits none of several shapes: what is wrong with it as the shape that it comes closest to. */
function meant(issue: Issue): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return { path, message: unknownKeyWords(path) };
    });
  if (issue.code !== 'invalid_union') return [issue];
  const shapes = issue.errors.map((issues) => issues.flatMap((inner) => meant(inner)));
  const depth = (faults: readonly Fault[]) => Math.max(0, ...faults.map(({ path }) => path.length));
  const closest = shapes.toSorted((a, b) => depth(b) - depth(a))[0];
  if (!closest || depth(closest) === 0) return [issue];
  return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}
