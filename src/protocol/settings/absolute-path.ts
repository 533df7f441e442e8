import { z } from 'zod';

export const absolutePath = z.string().regex(/^(?:\/|[A-Za-z]:[\\/])/, 'expected an absolute path');
