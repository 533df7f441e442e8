// flags > environment > file > default. Loaded by `up`, `doctor` and `config` only: zod costs start-up time.
import { existsSync, readFileSync } from 'node:fs';
import { Config } from '../protocol/config.ts';
import { CliError } from './cli-error.ts';

type Env = Record<string, string | undefined>;
type Layer = Record<string, unknown>;

/** Environment variables that stand for a config key. */
const variables = {
  SYNTHESIS_PORT: ['port', Number],
  SYNTHESIS_CLAUDE: ['claude', String],
  SYNTHESIS_CWD: ['cwd', String],
  SYNTHESIS_PERMISSION_MODE: ['permissionMode', String],
  SYNTHESIS_DELIVERY: ['delivery', String],
} as const;

function fileLayer(path: string): Layer {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Layer;
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new CliError(
      'usage',
      'bad_config',
      `${path} is not valid JSON: ${detail}.`,
      'Correct the file; nothing was started.',
    );
  }
}

function envLayer(env: Env): Layer {
  const layer: Layer = {};
  for (const [name, [key, read]] of Object.entries(variables)) {
    const value = env[name];
    if (value) layer[key] = read(value);
  }
  return layer;
}

const withoutUndefined = (layer: Layer): Layer =>
  Object.fromEntries(Object.entries(layer).filter(([, value]) => value !== undefined));

/** @throws CliError `bad_config` that names every wrong or unknown key and where it came from. */
export function readConfig(path: string, env: Env, flags: Layer): Config {
  const merged = { ...fileLayer(path), ...envLayer(env), ...withoutUndefined(flags) };
  const parsed = Config.safeParse(merged);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const where = issue.path.join('.') || 'the file';
    return `  ${where}: ${issue.message}`;
  });
  throw new CliError(
    'usage',
    'bad_config',
    `The configuration is not valid (${path}, environment and flags together):\n${faults.join('\n')}`,
    'Correct these; nothing was started.',
  );
}
