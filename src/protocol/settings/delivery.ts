import { z } from 'zod';

/** How text reaches Claude Code: as a channel notification, or typed into its terminal. */
export const Delivery = z.enum(['channel', 'terminal']);
export type Delivery = z.infer<typeof Delivery>;
