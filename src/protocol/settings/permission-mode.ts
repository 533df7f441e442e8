import { z } from 'zod';

export const PermissionMode = z.enum([
  'acceptEdits',
  'auto',
  'bypassPermissions',
  'default',
  'dontAsk',
  'manual',
  'plan',
]);
export type PermissionMode = z.infer<typeof PermissionMode>;
