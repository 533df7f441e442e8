// Reads and writes the configuration file as it is, without the other layers. Written whole or not at all, 0600.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writePrivate } from '../../base/files/private-file.ts';
import { CliError } from '../cli-error.ts';

export type ConfigLayer = Record<string, unknown>;

/** @throws CliError `bad_config` when it is no JSON object. */
export function readConfigFile(path: string): ConfigLayer {
  if (!existsSync(path)) return {};
  const text = readFileSync(path, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ConfigLayer;
    throw new Error('it holds no JSON object');
  } catch (error) {
    const detail = error instanceof Error ? faultOf(error.message, text) : String(error);
    throw new CliError(
      'usage',
      'bad_config',
      `${path} is not valid JSON: ${detail}.`,
      'Correct the file; nothing was started.',
    );
  }
}

/** The words of `JSON.parse` without the piece of the file that they may quote: a token or a key may stand there. */
function faultOf(words: string, text: string): string {
  const quoting = /, (?:\.{3})?"([\s\S]*)"(?:\.{3})? is not valid JSON$/.exec(words);
  if (!quoting) return words;
  const [quotation, piece = ''] = quoting;
  const line = text.slice(0, text.indexOf(piece) + piece.length / 2).split('\n').length;
  const place = text.split(piece).length === 2 ? ` near line ${line}` : '';
  return `${words.slice(0, -quotation.length)}${place}`;
}

export function writeConfigFile(path: string, layer: ConfigLayer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writePrivate(path, `${JSON.stringify(layer, undefined, 2)}\n`);
}

/** The value at `a.b.c`; undefined when there is none. */
export function valueAt(layer: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((value, part) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    return (value as ConfigLayer)[part];
  }, layer);
}

/** A copy with `value` at `a.b.c`; undefined takes it out. An entry of a list that is there is `list.0.c`. */
export function withValue(layer: ConfigLayer, key: string, value: unknown): ConfigLayer {
  const [first = '', ...rest] = key.split('.');
  if (rest.length === 0) {
    const { [first]: _, ...others } = layer;
    return value === undefined ? others : { ...layer, [first]: value };
  }
  const inner = layer[first];
  if (Array.isArray(inner) && Object.hasOwn(inner, rest[0] ?? ''))
    return { ...layer, [first]: withEntry(inner, Number(rest[0]), rest.slice(1).join('.'), value) };
  const nested = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  return { ...layer, [first]: withValue(nested as ConfigLayer, rest.join('.'), value) };
}

function withEntry(list: readonly unknown[], at: number, key: string, value: unknown): unknown[] {
  if (key === '') return value === undefined ? list.toSpliced(at, 1) : list.with(at, value);
  return list.with(at, withValue((list[at] ?? {}) as ConfigLayer, key, value));
}
