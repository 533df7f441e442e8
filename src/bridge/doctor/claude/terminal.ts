import { failed, ok } from '../../../domain/views/check.ts';
import type { Examination } from '../examination.ts';

/** Opens a pseudoterminal: a broken prebuilt module, or a sandbox without /dev/pts, is only seen then. */
export const terminal: Examination = async (_, signal) => {
  const name = 'terminal';
  try {
    const { spawn } = await import('@lydell/node-pty');
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const pty = spawn(process.execPath, ['--version'], { cols: 80, rows: 24 });
    pty.onExit(() => resolve());
    signal.addEventListener('abort', () => pty.kill(), { once: true });
    await ended;
    return [ok(name, 'Pseudoterminals can be opened.')];
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [
      failed(
        name,
        `No pseudoterminal can be opened: ${words}`,
        'Install synthesis again on this machine; in a container, mount /dev/pts.',
      ),
    ];
  }
};
