// How the provider is taken out of OpenClaw's configuration again. Pure.
import { type Authored, valueAt } from './authored-config.ts';
import type { InstallRecord } from './install-record.ts';
import { pluginId } from './plugin.ts';
import {
  defaultModelPatch,
  isObject,
  mergePatches,
  type Patch,
  primaryOf,
  providerId,
  type RegisteredProvider,
} from './provider-entry.ts';
import { vaultServerId } from './vault-server.ts';

/** The default model is put back only where it is still ours: whoever chose another one since keeps it. */
export function restorePatch(model: unknown, record: InstallRecord | undefined): Patch | undefined {
  if (!String(primaryOf(model)).startsWith(`${providerId}/`)) return undefined;
  const before = record?.default_model?.before;
  const alone = !isObject(model) || Object.keys(model).length === 1;
  // Fallbacks that were added since stay.
  if (alone && !isObject(before)) return { agents: { defaults: { model: before ?? null } } };
  return defaultModelPatch(primaryOf(before) ?? null);
}

export interface Removal {
  /** Undefined when it is not registered. */
  provider: RegisteredProvider | undefined;
  plugin: boolean;
  /** Our entry of an MCP server is there. */
  vault: boolean;
  restore: Patch | undefined;
  /** Objects that `install` made, as dotted paths. */
  made: readonly string[];
  authored: Authored;
}

/** @returns what is to be merged into the configuration, one patch after the other. */
export function removal(options: Removal): Patch[] {
  const { authored, made } = options;
  const pieces = piecesOf(options);
  if (pieces.length === 0 || authored.kind !== 'json') return pieces;
  const whole = pieces.reduce(mergePatches);
  const empty = withoutEmpty(whole, authored.value, made);
  return writes(authored.value, empty === whole ? pieces : [...pieces, empty]);
}

/** OpenClaw shortens a list of models only when told so. */
export function replacedBy(patch: Patch): string[] {
  const path = ['models', 'providers', providerId, 'models'];
  return valueAt(patch, path) === undefined ? [] : [path.join('.')];
}

/** In an order in which OpenClaw finds the configuration valid after each. */
function piecesOf({ provider, plugin, vault, restore }: Removal): Patch[] {
  const ours = (entry: Patch | null): Patch => ({ models: { providers: { [providerId]: entry } } });
  const names = provider?.models.map(({ id, name = id }) => ({ id, name })) ?? [];
  const shorter = names.map((model) => ({ ...model, contextWindow: 200_000, maxTokens: 32_000 }));
  return [
    ...(restore ? [restore] : []),
    ...(plugin ? [{ plugins: { entries: { [pluginId]: null } } }] : []),
    ...(vault ? [{ mcp: { servers: { [vaultServerId]: null } } }] : []),
    ...(provider
      ? [
          ours({ models: shorter }),
          ours({ models: names, apiKey: 'removed' }),
          { secrets: { providers: { [providerId]: null } } },
          ours({ baseUrl: 'http://localhost', apiKey: null, api: null, models: [] }),
          ours(null),
        ]
      : []),
  ];
}

/**
 * OpenClaw refuses a write that leaves less than half of a file of 512 bytes or more (measured on 2026.9.6); some room
 * is kept.
 */
const leastShare = 0.55;
const smallFile = 512;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value, undefined, 2));

/** As few writes as OpenClaw takes. */
function writes(value: Record<string, unknown>, pieces: readonly Patch[]): Patch[] {
  const all: Patch[] = [];
  let now = value;
  let held: Patch | undefined;
  for (const piece of pieces) {
    const next = held ? mergePatches(held, piece) : piece;
    const size = bytesOf(now);
    if (held && size >= smallFile && bytesOf(applied(now, next)) < size * leastShare) {
      all.push(held);
      now = applied(now, held);
      held = piece;
    } else held = next;
  }
  return held ? [...all, held] : all;
}

/** Objects that `install` made go, too, when nothing is left in them. */
function withoutEmpty(patch: Patch, value: Record<string, unknown>, made: readonly string[]): Patch {
  let all = patch;
  for (const path of [...made].sort((a, b) => b.length - a.length).map((dotted) => dotted.split('.'))) {
    const left = valueAt(applied(value, all), path);
    if (isObject(left) && Object.keys(left).length === 0) all = withNull(all, path);
  }
  return all;
}

function withNull(patch: Patch, [key = '', ...rest]: readonly string[]): Patch {
  const inner = patch[key];
  return { ...patch, [key]: rest.length === 0 ? null : withNull(isObject(inner) ? inner : {}, rest) };
}

/** What OpenClaw makes of a value and a patch. */
export function applied(value: Record<string, unknown>, patch: Patch): Record<string, unknown> {
  const result: Record<string, unknown> = { ...value };
  for (const [key, change] of Object.entries(patch)) {
    const before = result[key];
    if (change === null) delete result[key];
    else if (isObject(change)) result[key] = applied(isObject(before) ? before : {}, change);
    else result[key] = change;
  }
  return result;
}
