import { never } from '../../base/never.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { McpServers } from './mcp/mcp-servers.ts';
import type { Screen } from './screen/screen.ts';
import type { SlashAction } from './slash.ts';

export interface SlashPorts {
  screen: Screen;
  hooks: Hooks;
  servers: McpServers;
  fields(): Record<string, unknown>;
  announce(source: 'compact'): Promise<void>;
  /** Another conversation begins. */
  clear(): Promise<void>;
  exit(reason: string, code: number): void;
}

/** Does what a slash command asks for. */
export async function runSlash(action: SlashAction, argument: string, ports: SlashPorts): Promise<void> {
  const { screen, hooks, servers } = ports;
  switch (action.kind) {
    case 'exit':
      ports.exit('prompt_input_exit', 0);
      return;
    case 'clear':
      await ports.clear();
      screen.log('● (conversation cleared)');
      return;
    case 'compact': {
      const fields = { ...ports.fields(), trigger: 'manual' };
      await hooks.run({ event: 'PreCompact', payload: { ...fields, custom_instructions: argument } });
      await ports.announce('compact');
      await hooks.run({
        event: 'PostCompact',
        payload: { ...fields, compact_summary: 'Simulated summary.' },
      });
      screen.log('● Compacted');
      return;
    }
    case 'reconnect':
      await servers.reconnect(action.server);
      return;
    case 'redraw':
      screen.redraw(action.drawing);
      return;
    case 'say':
      screen.log(`● ${action.text}`);
      return;
    default:
      never(action);
  }
}
