// A tool of an MCP server that asks its user, which no hook tells: Claude Code only draws it (as 2.1.332 does).
import type { Dialog } from '../screen/dialog.ts';
import type { Screen } from '../screen/screen.ts';
import type { ToolOutcome } from './tool-box.ts';

/** Opens the dialog, and closes it when its turn or agent is stopped. What was chosen is the result, `cancel` for Esc. */
export function elicit(
  input: Record<string, unknown>,
  signal: AbortSignal,
  screen: Pick<Screen, 'openDialog'>,
): Promise<ToolOutcome> {
  return new Promise((resolve) => {
    const close = screen.openDialog(dialogOf(input), (chosen) =>
      resolve({ ok: true, response: { chosen }, text: `The answer was: ${chosen}` }),
    );
    const stop = () => {
      close();
      resolve({ ok: false, error: 'interrupted' });
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

function dialogOf({ message = '', options = [] }: Record<string, unknown>): Dialog<string> {
  const labels = Array.isArray(options) ? options.map(String) : [];
  return {
    lines: ['  MCP server “kites” requests your input', '', `  ${String(message)}`, ''],
    options: (labels.length > 0 ? labels : ['Accept', 'Decline']).map((label) => ({ label, effect: label })),
    selected: 0,
    numbered: false,
    beside: labels.length === 0,
    cancel: 'cancel',
    hint: 'Esc to cancel · ↑/↓ to navigate',
  };
}
