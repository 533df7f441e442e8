// What Claude Code says of what runs in the background: to hooks while it runs, to the model when it has ended.
import type { BackgroundTask } from '../turn/turn-ports.ts';

/** As 2.1.329 words it, but for the file with the output. */
export const notification = ({ id, toolUse, description }: BackgroundTask): string =>
  [
    '<task-notification>',
    `<task-id>${id}</task-id>`,
    `<tool-use-id>${toolUse}</tool-use-id>`,
    '<status>completed</status>',
    `<summary>${description}</summary>`,
    '</task-notification>',
  ].join('\n');

/** In the Stop hook. */
export const asTask = ({ id, description }: BackgroundTask) => ({
  id,
  type: 'shell',
  status: 'running',
  description,
});
