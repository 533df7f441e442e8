// tools call: one tool, as Claude would call it.
import type { Envelope } from '../../../protocol/envelope.ts';
import { withBridge } from '../../client/control-client.ts';
import type { RpcConnection } from '../../client/rpc-connection.ts';
import { exitOf } from '../../envelope-exit.ts';
import { exitCodes } from '../../exit-codes.ts';
import { nearest } from '../../nearest.ts';
import { print, printJson, printPart, say } from '../../output/out.ts';
import { safeLine } from '../../output/safe.ts';
import { argumentsOf } from './arguments.ts';
import { lookMs, ofProvider } from './known.ts';

export interface CallOptions {
  state: string;
  provider: string;
  tool: string;
  /** JSON, or `-` for standard input. */
  args: string;
  json: boolean;
  input?: AsyncIterable<Uint8Array>;
  /** Takes the call back; Ctrl-C does without it. */
  signal?: AbortSignal;
}

/** A call may take minutes, and the provider has a deadline of its own: it is waited for without another. */
export async function toolsCall(options: CallOptions): Promise<number> {
  const { state, provider, tool, json, input = process.stdin } = options;
  const args = await argumentsOf(options.args, input);
  using interrupt = new Interrupt(json);
  const { signal = interrupt.signal } = options;
  // Awaited here: Ctrl-C is given back when this function is left.
  return await withBridge(state, async (bridge) => {
    const calling = bridge.call('tools.call', { provider, tool, args }, { signal });
    const envelope = await ofProvider(bridge, provider, calling, 'Nothing was called.');
    if (json) printJson(envelope);
    else {
      show(envelope);
      if (envelope.error?.code === 'NO_SUCH_TOOL') await sayWhich(bridge, provider, tool);
    }
    return exitCodes[exitOf(envelope)];
  });
}

function show({ status, data, error }: Envelope): void {
  if (typeof data === 'string') printPart(data.endsWith('\n') ? data : `${data}\n`);
  else if (data !== null) print(JSON.stringify(data, undefined, 2));
  // Each in a row of its own, so that what a provider says cannot pass for more than its words.
  if (error) say(`${safeLine(error.code)}: ${safeLine(error.message)}\n${safeLine(error.suggestion)}`);
  else if (status !== 'healthy') say(`The tool calls this result ${status}: it is less than it could be.`);
  else if (data === null) say('Done; it gave nothing back.');
}

async function sayWhich(bridge: RpcConnection, provider: string, wanted: string): Promise<void> {
  const { tools } = await bridge.call('tools.inspect', { provider }, { timeoutMs: lookMs });
  const own = tools.find(({ name }) => name === wanted)?.tool;
  const near =
    own ??
    nearest(
      wanted,
      tools.map(({ tool }) => tool),
    );
  say(near === undefined ? `All of its tools: synthesis tools inspect ${provider}` : `Did you mean ${near}?`);
}

/** The first Ctrl-C takes the call back, and its end is told; the second ends the command at once. */
class Interrupt implements Disposable {
  readonly #abort = new AbortController();
  readonly #act: () => void;

  constructor(quiet: boolean) {
    this.#act = () => {
      if (!quiet) say('Taking the call back; Ctrl-C again leaves at once.');
      this.#abort.abort();
    };
    process.once('SIGINT', this.#act);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#act);
  }
}
