// What a tool is called with, as it is typed. Whatever is wrong with it is said before anything is called.
import { CliError } from '../../cli-error.ts';
import { safeLine } from '../../output/safe.ts';
import { readAll } from '../../read-all.ts';

export type Arguments = Record<string, unknown>;

/** Characters; the bridge takes no longer line than 8 Mi. */
const most = 8 * 1024 * 1024 - 4096;

/**
 * @param text JSON; `-` reads it from `input`
 * @throws CliError `bad_json`
 */
export async function argumentsOf(text: string, input: AsyncIterable<Uint8Array>): Promise<Arguments> {
  const args = parsed(text === '-' ? await readAll(input) : text);
  if (lengthOf(args) > most) throw badJson('they are longer than a bridge takes', 'Make them shorter.');
  return args;
}

function parsed(text: string): Arguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw badJson(safeLine(words), `Write them as one JSON object in quotes, e.g. '{"text":"hello"}'.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments;
  const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
  throw badJson(
    `${found} is no object`,
    `Name each argument, e.g. '{"text":"hello"}'; synthesis tools inspect shows them.`,
  );
}

/** As JSON, which is how it travels. */
function lengthOf(args: Arguments): number {
  try {
    return JSON.stringify(args).length;
  } catch {
    throw badJson('they are nested too deep', 'Make them flatter.');
  }
}

const badJson = (why: string, suggestion: string): CliError =>
  new CliError('usage', 'bad_json', `The arguments cannot be used: ${why}. Nothing was called.`, suggestion);
