// What OpenClaw has to know of the bridge, in the shape of its configuration.
import { z } from 'zod';

export const providerId = 'synthesis';
export const modelId = 'claude';
export const modelRef = `${providerId}/${modelId}`;

/** Where the bridge serves, and the file that holds its token. */
export interface BridgeAddress {
  /** `http://127.0.0.1:18801` */
  url: string;
  tokenFile: string;
}

/** `null` removes a key: OpenClaw merges the rest. */
export type Patch = { [key: string]: unknown };

const claudeModel = {
  id: modelId,
  name: 'Claude (synthesis)',
  reasoning: false,
  input: ['text', 'image'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 32_000,
};

/** With both, every request names its conversation (measured on OpenClaw 2026.9.6). */
const compat = { supportsPromptCacheKey: true, sendSessionAffinityHeaders: true };

/** On every request of OpenClaw to this provider, also on those that belong to no conversation (measured on 2026.9.6). */
const headers = { 'x-openclaw-provider': providerId };

const Model = z.looseObject({ id: z.string(), compat: z.looseObject({}).optional() });

/** What is registered now, as `openclaw config get` shows it. Secrets are redacted there. */
export const RegisteredProvider = z.looseObject({
  baseUrl: z.string().optional(),
  apiKey: z.unknown().optional(),
  timeoutSeconds: z.number().optional(),
  headers: z.looseObject({}).optional(),
  models: z.array(Model).default([]),
});
export type RegisteredProvider = z.infer<typeof RegisteredProvider>;

/**
 * The provider's entry. The token stays in its file: OpenClaw reads it from there, so the two cannot differ, and no
 * copy lies in a file that OpenClaw's agents can read.
 *
 * @param registered models that were added by hand are kept, and so is what was changed on ours
 */
export function providerPatch(bridge: BridgeAddress, registered?: RegisteredProvider): Patch {
  return {
    secrets: {
      providers: { [providerId]: { source: 'file', path: bridge.tokenFile, mode: 'singleValue' } },
    },
    models: {
      providers: {
        [providerId]: {
          baseUrl: `${bridge.url}/v1`,
          apiKey: { source: 'file', provider: providerId, id: 'value' },
          api: 'openai-completions',
          headers,
          models: modelsWith(registered?.models ?? []),
        },
      },
    },
  };
}

function modelsWith(present: RegisteredProvider['models']): object[] {
  const ours = present.find(({ id }) => id === modelId);
  const others = present.filter(({ id }) => id !== modelId);
  return [{ ...claudeModel, ...ours }, ...others].map((model) => withFlags(model));
}

/** `api` is what OpenClaw derives from the provider when it shows a model. */
function withFlags({ api: _, ...model }: { api?: unknown; compat?: object }): object {
  return { ...model, compat: { ...model.compat, ...compat } };
}

export const defaultModelPatch = (primary: unknown): Patch => ({
  agents: { defaults: { model: { primary } } },
});

/** A default model is a name, or an object that also holds fallbacks. */
export const primaryOf = (model: unknown): unknown => (isObject(model) ? model.primary : model);

/** Whether requests carry the id of their conversation. */
export function isFlagged({ models }: RegisteredProvider): boolean {
  return models.every(({ compat: flags }) => flags?.supportsPromptCacheKey === true);
}

/** Whether requests say that they are OpenClaw's. */
export const isLabelled = ({ headers: given = {} }: RegisteredProvider): boolean =>
  Object.keys(headers).every((name) => name in given);

/** Two patches in one; where both set a key the second wins. */
export function mergePatches(a: Patch, b: Patch): Patch {
  const merged: Patch = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? mergePatches(before, value) : value;
  }
  return merged;
}

export const isObject = (value: unknown): value is Patch =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
