import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { install } from '../../../src/bridge/openclaw/install.ts';
import { uninstall } from '../../../src/bridge/openclaw/uninstall.ts';
import { runs } from '../../support/runs.ts';
import { SmallOpenClaw } from '../../support/small-openclaw.ts';

type Value = Record<string, unknown>;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'synthesis-openclaw-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const bridge = { url: 'http://127.0.0.1:18801', tokenFile: '/state/token' };
const vault = { command: '/node', args: ['/bin/synthesis.js', 'vault', 'serve', '--state-dir', '/state'] };
const openclaw = (before?: Value | string) => new SmallOpenClaw(join(dir, 'config.json'), before);

async function installed(
  cli: SmallOpenClaw,
  choices: { defaultModel?: boolean; plugin?: boolean; vault?: boolean; dryRun?: boolean } = {},
) {
  const notices: string[] = [];
  const result = await install({
    cli,
    bridge,
    stateDir: dir,
    defaultModel: choices.defaultModel,
    plugin: choices.plugin ? '/plugin' : undefined,
    vault: choices.vault ? vault : undefined,
    dryRun: choices.dryRun ?? false,
    notice: (words) => notices.push(words),
  });
  return { ...result, notices };
}

const uninstalled = (cli: SmallOpenClaw, dryRun = false) => uninstall({ cli, stateDir: dir, dryRun });

const provider = (value: Value) => (value.models as { providers: Value }).providers.synthesis as Value;
const model = (value: Value) => (value.agents as { defaults: { model: unknown } }).defaults.model;

describe('the vault', () => {
  const server = (value: Value) => (value.mcp as { servers: Value } | undefined)?.servers;

  test('is an MCP server of OpenClaw when that is wanted, and no more after the removal', async () => {
    const before = { mcp: { servers: { docs: { url: 'https://docs.example/mcp' } } }, agents: {} };
    const cli = openclaw(structuredClone(before));
    expect((await installed(cli)).vault).toBe(false);
    expect(server(cli.value)).toEqual(before.mcp.servers);
    expect((await installed(cli, { vault: true })).vault).toBe(true);
    expect(server(cli.value)).toEqual({ ...before.mcp.servers, vault });
    await uninstalled(cli);
    expect(cli.value).toEqual(before);
  });

  test('leaves nothing behind where OpenClaw had no MCP server', async () => {
    const cli = openclaw({});
    await installed(cli, { vault: true });
    await uninstalled(cli);
    expect(server(cli.value)).toBeUndefined();
  });

  test('takes the name of no other server, and removes none that only has its name', async () => {
    const before = { mcp: { servers: { vault: { command: 'hashicorp-vault-mcp', args: [] } } } };
    const cli = openclaw(structuredClone(before));
    await expect(installed(cli, { vault: true })).rejects.toMatchObject({ code: 'openclaw_conflict' });
    expect(cli.value).toEqual(before);
    await installed(cli);
    await uninstalled(cli);
    expect(server(cli.value)).toEqual(before.mcp.servers);
  });
});

describe('install', () => {
  test('an OpenClaw without a default model gets ours, one with a model keeps it', async () => {
    const fresh = openclaw();
    expect((await installed(fresh)).default_model).toBe(true);
    expect(model(fresh.value)).toEqual({ primary: 'synthesis/claude' });
    const chosen = openclaw({ agents: { defaults: { model: 'openai/gpt' } } });
    expect((await installed(chosen)).default_model).toBe(false);
    expect(model(chosen.value)).toBe('openai/gpt');
  });

  test('the token is named by its file and copied nowhere', async () => {
    const cli = openclaw();
    await installed(cli);
    expect(provider(cli.value)).toMatchObject({
      baseUrl: 'http://127.0.0.1:18801/v1',
      apiKey: { source: 'file', provider: 'synthesis', id: 'value' },
    });
    expect(cli.value.secrets).toEqual({
      providers: { synthesis: { source: 'file', path: '/state/token', mode: 'singleValue' } },
    });
  });

  test('models added by hand stay, and get the flags that name the conversation', async () => {
    const cli = openclaw();
    await installed(cli);
    await cli.patch({
      models: {
        providers: {
          synthesis: { models: [{ id: 'claude', contextWindow: 1_000_000 }, { id: 'claude-coder' }] },
        },
      },
    });
    await installed(cli);
    const compat = { supportsPromptCacheKey: true, sendSessionAffinityHeaders: true };
    expect(provider(cli.value).models).toEqual([
      expect.objectContaining({ id: 'claude', contextWindow: 1_000_000, maxTokens: 32_000, compat }),
      { id: 'claude-coder', compat },
    ]);
  });

  test('a dry run writes nothing, neither there nor here', async () => {
    const before = { gateway: { mode: 'local' } };
    const cli = openclaw(before);
    const { patch, applied } = await installed(cli, { dryRun: true });
    expect(applied).toBe(false);
    expect(patch).toHaveProperty('models.providers.synthesis.baseUrl');
    expect(cli.value).toEqual(before);
    await installed(cli);
    await uninstalled(cli);
    expect(cli.value).toEqual(before);
  });

  test('lost comments are announced before anything is written', async () => {
    const cli = openclaw('{\n  // mine\n  "gateway": { "mode": "local" }\n}');
    const { notices } = await installed(cli, { dryRun: true });
    expect(notices.join()).toContain('comments in it are lost');
    expect(cli.patches).toEqual([]);
  });

  test('a limit on silence is pointed out', async () => {
    const cli = openclaw({ models: { providers: { synthesis: { timeoutSeconds: 60 } } } });
    const { notices } = await installed(cli);
    expect(notices.join()).toContain('timeoutSeconds of this provider is 60');
    expect(notices.join()).toContain('has not been set up yet');
    await cli.patch({ gateway: { mode: 'local' } });
    expect((await installed(cli)).notices.join()).not.toContain('has not been set up yet');
  });

  test('a configuration that was wrong before is left alone', async () => {
    const cli = openclaw({ gateway: 1 });
    cli.validity = { valid: false, problems: ['gateway: must be an object'] };
    await expect(installed(cli)).rejects.toMatchObject({
      code: 'openclaw_config_invalid',
      message: expect.stringContaining('gateway: must be an object'),
    });
    expect(cli.patches).toEqual([]);
  });

  test('a refused plugin leaves the provider unregistered', async () => {
    const cli = openclaw({});
    cli.refusesPlugins = 'policy says no';
    await expect(installed(cli, { plugin: true })).rejects.toThrow('policy says no');
    expect(cli.value).toEqual({});
  });
});

describe('uninstall', () => {
  const befores: [string, Value][] = [
    ['an empty configuration', {}],
    ['a model as text', { agents: { defaults: { model: 'openai/gpt', workspace: '~/ws' } } }],
    ['a model with fallbacks', { agents: { defaults: { model: { primary: 'a/b', fallbacks: ['c/d'] } } } }],
    ['fallbacks only', { agents: { defaults: { model: { fallbacks: ['c/d'] } } } }],
    ['empty objects of its own', { models: {}, secrets: { providers: {} }, agents: { defaults: {} } }],
    ['other providers', { models: { providers: { local: { baseUrl: 'http://x/v1' } } }, plugins: {} }],
    ['a long configuration', { notes: 'x'.repeat(5000) }],
    ['a middling configuration', { notes: 'x'.repeat(700) }],
  ];
  for (const plugin of [false, true]) {
    test.each(befores)(`leaves %s as it was${plugin ? ', with the plugin' : ''}`, async (_, before) => {
      const cli = openclaw(before);
      await installed(cli, { defaultModel: true, plugin });
      await installed(cli, { defaultModel: true, plugin });
      const { notes } = await uninstalled(cli);
      expect(cli.value).toEqual(before);
      expect(notes).toEqual([]);
      expect((await uninstalled(cli)).patches).toEqual([]);
    });
  }

  test('any configuration comes back whole', async () => {
    const name = fc.string({ minLength: 1, maxLength: 8 }).filter((key) => !key.startsWith('__'));
    const leaf = fc.oneof(fc.string({ maxLength: 300 }), fc.integer(), fc.boolean());
    const inner = fc.dictionary(name, leaf, { maxKeys: 4 });
    const before = fc.record(
      {
        models: fc.record({ providers: fc.dictionary(name, inner) }, { requiredKeys: [] }),
        secrets: fc.record({ providers: fc.dictionary(name, inner) }, { requiredKeys: [] }),
        agents: fc.record({ defaults: inner, entries: inner }, { requiredKeys: [] }),
        gateway: inner,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(before, fc.boolean(), async (value, defaultModel) => {
        const plain = JSON.parse(JSON.stringify(value)) as Value;
        const cli = openclaw(plain);
        await installed(cli, { defaultModel });
        await uninstalled(cli);
        expect(cli.value).toEqual(plain);
      }),
      { numRuns: runs(40) },
    );
  });

  test('a default model that was chosen since stays', async () => {
    const cli = openclaw({ agents: { defaults: { model: 'openai/gpt' } } });
    await installed(cli, { defaultModel: true });
    await cli.patch({ agents: { defaults: { model: { primary: 'other/model' } } } });
    await uninstalled(cli);
    expect(model(cli.value)).toEqual({ primary: 'other/model' });
  });

  test('agents that name our model are pointed out, not changed', async () => {
    const cli = openclaw({ agents: { entries: { coder: { model: 'synthesis/claude-coder' } } } });
    await installed(cli);
    const { notes } = await uninstalled(cli);
    expect(notes).toEqual([expect.stringContaining('agents.entries.coder.model')]);
    expect(cli.value).toHaveProperty('agents.entries.coder.model', 'synthesis/claude-coder');
  });

  test('what another installation registered goes, too, and an unknown default model is said', async () => {
    const cli = openclaw();
    await installed(cli);
    rmSync(join(dir, 'openclaw.json'));
    const { notes } = await uninstalled(cli);
    expect(notes.join()).toContain('is not known');
    expect(readFileSync(join(dir, 'config.json'), 'utf8')).not.toContain('synthesis');
  });

  test('a dry run shows every step and takes none', async () => {
    const cli = openclaw();
    await installed(cli, { plugin: true });
    const before = cli.value;
    const { patches, applied } = await uninstalled(cli, true);
    expect(applied).toBe(false);
    expect(patches.length).toBeGreaterThan(0);
    expect(cli.value).toEqual(before);
    expect(cli.plugins.size).toBe(1);
  });
});
