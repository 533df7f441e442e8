// Which keys the configuration has, and which values of each can be listed: read from its schema.
import { z } from 'zod';
import { Config } from '../../protocol/settings/config.ts';
import { valueAt } from './config-file.ts';

export interface ConfigKey {
  /** As `config set` takes it: `timeouts.idleMs`, `profiles.0.cwd`. */
  key: string;
  description: string;
  /** Texts that `config set` takes for it; empty where there is no end of them. */
  values: readonly string[];
  /** Whether it is nothing but a group of keys. */
  isGroup: boolean;
  isWritten: boolean;
}

interface Shape {
  description?: string;
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  enum?: unknown[];
  const?: unknown;
}

/** @param layer what the file holds: an entry of a list has keys when it is there */
export const configKeys = (layer: unknown): ConfigKey[] =>
  inside(z.toJSONSchema(Config, { io: 'input' }) as Shape, '', layer);

function inside(shape: Shape, prefix: string, written: unknown): ConfigKey[] {
  return formsOf(shape).flatMap(({ properties = {}, items }) => {
    const entries = items && Array.isArray(written) ? written.map((_, at) => [`${at}`, items] as const) : [];
    return [...Object.entries(properties), ...entries].flatMap(([name, inner]) =>
      at(inner, `${prefix}${name}`, valueAt(written, name)),
    );
  });
}

function at(shape: Shape, key: string, written: unknown): ConfigKey[] {
  const forms = formsOf(shape);
  const own = {
    key,
    description: shape.description ?? '',
    values: forms.flatMap(valuesOf),
    isGroup: forms.every(({ properties }) => properties !== undefined),
    isWritten: written !== undefined,
  };
  return [own, ...inside(shape, `${key}.`, written)];
}

const formsOf = (shape: Shape): Shape[] => shape.anyOf?.flatMap(formsOf) ?? [shape];

function valuesOf({ type, enum: some, const: one }: Shape): string[] {
  if (one !== undefined) return [String(one)];
  return type === 'boolean' ? ['true', 'false'] : (some ?? []).map(String);
}
