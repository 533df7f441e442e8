import { z } from 'zod';

/**
 * What a message does that comes while Claude works. `queue`: it waits for the end. `steer`: Claude gets it in the turn
 * it is at, where that is possible. `interrupt`: that turn is stopped.
 */
export const QueueMode = z.enum(['queue', 'steer', 'interrupt']);
export type QueueMode = z.infer<typeof QueueMode>;
