import { type DrawingName, drawingNames } from './settings/knobs.ts';

/** What a slash command does to the session. No hook fires for the command itself. */
export type SlashAction =
  | { kind: 'exit' }
  | { kind: 'clear' }
  | { kind: 'compact' }
  | { kind: 'reconnect'; server: string }
  /** The prompt is drawn in another way. */
  | { kind: 'redraw'; drawing: DrawingName }
  | { kind: 'say'; text: string };

const harmless = new Set([
  'help',
  'model',
  'status',
  'cost',
  'config',
  'hooks',
  'permissions',
  'memory',
  'effort',
  'mcp',
]);

export function slashAction(name: string, argument: string): SlashAction {
  const reconnect = /^reconnect\s+(\S+)$/.exec(argument)?.[1];
  if (name === 'exit' || name === 'quit') return { kind: 'exit' };
  if (name === 'clear') return { kind: 'clear' };
  if (name === 'compact') return { kind: 'compact' };
  if (name === 'mcp' && reconnect) return { kind: 'reconnect', server: reconnect };
  const drawing = drawingNames.find((each) => argument === `drawing ${each}`);
  if (name === 'config' && drawing) return { kind: 'redraw', drawing };
  return {
    kind: 'say',
    text: harmless.has(name)
      ? `/${name}: nothing to see in the simulated Claude`
      : `Unknown command: /${name}`,
  };
}
