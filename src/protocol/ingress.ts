import { z } from 'zod';

/** The door through which a message came. */
export const Ingress = z.enum(['openai', 'agp', 'operator']);
export type Ingress = z.infer<typeof Ingress>;
