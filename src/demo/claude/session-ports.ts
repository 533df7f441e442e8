import type { Hooks } from './hooks/hooks.ts';
import type { McpServers } from './mcp/mcp-servers.ts';
import type { Screen } from './screen/screen.ts';
import type { Knobs } from './settings/knobs.ts';
import type { ToolBox } from './tools/tool-box.ts';
import type { Rule } from './turn/brain.ts';

export interface SessionPorts {
  knobs: Knobs;
  rules: Rule[];
  place: { env: NodeJS.ProcessEnv; cwd: string; name: string | undefined };
  hooks: Hooks;
  screen: Screen;
  servers: McpServers;
  tools: ToolBox;
  onProgress(): void;
  exit(reason: string, code: number): void;
  crash(code: number): void;
}
