// tools remove: one provider less, in the configuration and in the bridge if one runs.
import { CliError } from '../../cli-error.ts';
import type { RpcConnection } from '../../client/rpc-connection.ts';
import { providerName } from '../../config/provider-name.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printJson, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { configFile } from '../../paths.ts';
import { lookMs, unknownProvider } from './known.ts';
import { apply, withLive } from './live.ts';
import { changed, namesOf, readProviders } from './provider-file.ts';

export interface RemoveOptions {
  state: string;
  provider: string;
  json: boolean;
}

export async function toolsRemove({ state, provider: name, json }: RemoveOptions): Promise<number> {
  const path = configFile(process.env);
  const file = readProviders(path);
  const inFile = namesOf(file).includes(name);
  return withLive(state, async (bridge) => {
    const live = bridge ? await namesAt(bridge, inFile) : [];
    const inBridge = live === 'unknown' || live.includes(name);
    if (!inFile && !inBridge)
      throw unknownProvider(name, [...new Set([...namesOf(file), ...live])], 'Nothing was changed.');
    const { providers, write } = changed(
      file,
      file.entries.filter((entry) => providerName(entry) !== name),
    );
    if (inFile) write();
    const applied = bridge && inBridge ? await apply(bridge, providers, name) : undefined;
    const problem = applied?.ok === false ? applied.problem : null;
    if (json)
      printJson({
        removed: name,
        file: inFile ? path : null,
        running: bridge !== undefined,
        applied: applied?.ok ?? false,
        problem,
      });
    else {
      say(wordsOf(name, path, { inFile, inBridge, running: bridge !== undefined, problem }));
      if (applied?.ok && applied.words !== null) say(safeLine(applied.words));
    }
    return problem === null ? exitCodes.ok : exitCodes.failure;
  });
}

/** A bridge that does not answer keeps nobody from taking a provider out of the file. */
async function namesAt(bridge: RpcConnection, orUnknown: boolean): Promise<string[] | 'unknown'> {
  try {
    const views = await bridge.call('tools.list', {}, { timeoutMs: lookMs });
    return views.map(({ provider }) => provider);
  } catch (error) {
    if (orUnknown && error instanceof CliError) return 'unknown';
    throw error;
  }
}

interface Done {
  inFile: boolean;
  inBridge: boolean;
  running: boolean;
  problem: string | null;
}

function wordsOf(name: string, path: string, { inFile, inBridge, running, problem }: Done): string {
  const file = inFile ? `Removed ${name} from ${path}` : `${path} does not name ${name}`;
  if (!running) return `${file}. No bridge runs.`;
  if (!inBridge) return `${file}. The running bridge did not have it.`;
  if (problem === null) return `${file}. The running bridge has ended it.`;
  return `${file}, but the running bridge still has it: ${safeLine(problem)}\nIt is gone with the next start: \`synthesis down\`, \`synthesis up\`.`;
}
