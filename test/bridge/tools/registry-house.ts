// A registry with one provider, reached as in a bridge: a real process, address or module.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { transportOpener } from '../../../src/bridge/tools/link/open-transport.ts';
import { ProcessGroups } from '../../../src/bridge/tools/link/process-groups.ts';
import { ToolRegistry } from '../../../src/bridge/tools/registry.ts';
import { Provider } from '../../../src/protocol/settings/provider.ts';

export interface RegistryHouse {
  /** Where it is kept which programs run. */
  file: string;
  registry: ToolRegistry;
  /** Every status with its reason, in order. */
  walk: string[];
  call(
    tool: string,
    args?: Record<string, unknown>,
    progressed?: (words: string) => void,
  ): ReturnType<ToolRegistry['call']>;
}

/** @param env the environment of the bridge */
export async function registryHouse(
  entry: object,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RegistryHouse> {
  const walk: string[] = [];
  const dir = mkdtempSync(join(tmpdir(), 'providers-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'providers.json');
  const registry = new ToolRegistry({
    version: '0.0.0',
    clock: systemClock,
    log: silentLog,
    open: transportOpener({ clock: systemClock, env, groups: new ProcessGroups(file, silentLog) }),
    healthChanged: ({ status, reason }) => walk.push(reason === null ? status : `${status}: ${reason}`),
    toolsChanged: () => {},
  });
  onTestFinished(() => registry.close());
  await registry.set([Provider.parse({ name: 'peer', ...entry })], 20_000);
  const { signal } = new AbortController();
  return {
    file,
    registry,
    walk,
    call: (tool, args = {}, progressed) => registry.call('peer', tool, args, signal, progressed),
  };
}
