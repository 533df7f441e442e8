// Providers of tools as operators see them. Types only: the stable `--json` shapes of `synthesis tools`.
import type { ToolStatus } from '../../protocol/envelope.ts';
import type { ToolPermission } from '../../protocol/settings/provider.ts';

export interface ProviderView {
  provider: string;
  kind: 'command' | 'url' | 'module';
  status: ToolStatus;
  /** Why it is not healthy. */
  reason: string | null;
  /** When it got into this state; ISO 8601. */
  since: string;
  /** When it answered last; ISO 8601. */
  last_probe: string | null;
  /** How many of its tools Claude gets. */
  tools: number;
  /** How many it does not get although the configuration names them. */
  refused: number;
  /** Calls that it works on. */
  running: number;
  /** Calls that wait for it. */
  waiting: number;
}

export interface ToolView {
  /** As Claude calls it. */
  name: string;
  /** As its provider calls it. */
  tool: string;
  description: string;
  permissions: readonly ToolPermission[];
  /** A failed call may be repeated, says its provider. */
  idempotent: boolean;
  /** JSON Schema of its arguments. */
  parameters: Record<string, unknown>;
}

export interface ProviderDetail {
  provider: ProviderView;
  tools: ToolView[];
  /** What Claude does not get, and why. */
  refused: { tool: string; why: string }[];
  /** The last lines that it printed for people, oldest first. */
  printed: string[];
}
