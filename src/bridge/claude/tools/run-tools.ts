// What one Claude Code is lent, by its channel server or through its host, and its calls of it.
import type { AgentReport } from '../../../domain/commands.ts';
import type { Call } from '../../../domain/policy/call.ts';
import { asks, type Ruling } from '../../../domain/policy/ruling.ts';
import type { PermissionRequest } from '../../../protocol/wire/wire.ts';
import { ChannelLink } from '../channel/channel-link.ts';
import type { RunOptions } from '../run-options.ts';
import { ServedTools } from './served-tools.ts';
import { type LentCall, type LentTools, withProvider } from './tool-catalog.ts';

interface RunToolsEvents {
  report(report: AgentReport): void;
  /** Claude Code has our tools. */
  listed(): void;
  /** Claude's name of a call that it made: whatever was asked about it is over. */
  ran(toolUse: string | undefined): void;
  /** The agent that made the call with this name. */
  ownerOf(toolUse: string): string | undefined;
  /** The message reached Claude's standard input. */
  written(turn: string): void;
  /** @param again as in `ChannelLink` */
  asked(frame: PermissionRequest, again: boolean): void;
  /** The connection of the channel server came or went. */
  changed(): void;
}

export class RunTools {
  readonly #options: RunOptions;
  readonly #events: RunToolsEvents;
  readonly link: ChannelLink;
  /** Set where its tools are served through its host: it has no channel server. */
  readonly served: ServedTools | undefined;

  constructor(options: RunOptions, events: RunToolsEvents) {
    this.#options = options;
    this.#events = events;
    this.link = this.#newLink();
    this.served = options.served === undefined ? undefined : this.#newServed(options.served);
  }

  get lent(): LentTools {
    return this.served ?? this.link;
  }

  /** However Claude Code tells of a call, it is judged as that of whoever runs it. */
  judge(call: Call): Ruling {
    return this.#options.judge(withProvider(call, this.#options.localTools));
  }

  close(): void {
    this.link.close();
    this.served?.close();
  }

  #called(call: LentCall): void {
    const { clock, limits, localTools, claimCode } = this.#options;
    const lent: Call = { tool: call.tool, input: call.args, lent: true };
    const { provider } = withProvider(lent, localTools);
    const ruling = this.judge(lent);
    const expires_at = clock.wall() + limits.permissionMs;
    const question = asks(ruling) ? { question: { code: claimCode(), expires_at } } : {};
    const whose = provider === undefined ? {} : { provider };
    const agent = call.tool_use === undefined ? undefined : this.#events.ownerOf(call.tool_use);
    const by = agent === undefined ? {} : { agent };
    this.#events.report({ type: 'tool.call', ...call, ...by, ...whose, ruling, ...question });
    this.#events.ran(call.tool_use);
  }

  #newServed(run: string): ServedTools {
    const { clock, log, tools, localTools, known, host } = this.#options;
    const { report, listed } = this.#events;
    return new ServedTools({
      clock,
      log,
      run,
      tools,
      localTools,
      known,
      notify: (message, keep) => host.notify(message, keep),
      events: {
        called: (call) => this.#called(call),
        cancelled: (call) => report({ type: 'tool.cancel', call }),
        toolsListed: listed,
      },
    });
  }

  #newLink(): ChannelLink {
    const { clock, log, limits, tools, localTools, known } = this.#options;
    const { listed, ran: _, ownerOf: __, ...events } = this.#events;
    return new ChannelLink(tools, {
      clock,
      log,
      inboundLimit: limits.inboundLimit,
      localTools,
      known,
      events: { ...events, called: (call) => this.#called(call), toolsListed: listed },
    });
  }
}
