// Whether all of Claude Code runs in bubblewrap, and what of the machine it may reach from there.
import { z } from 'zod';

/** `off`: as you. `on`: contained, if that can be done. `required`: or not at all. */
export const ContainMode = z.enum(['off', 'on', 'required']);
export type ContainMode = z.infer<typeof ContainMode>;

/** What is absent inside unless it is let in. Each undoes a part of the wall: see `letIn`. */
export const ContainLet = z.enum(['ssh-agent', 'gpg', 'bus', 'wayland', 'docker', 'aws']);
export type ContainLet = z.infer<typeof ContainLet>;

/** A file or folder that Claude Code may write to: absolute, or below the home folder. */
export const ContainPath = z
  .string()
  .max(4_096)
  .regex(/^(?:\/|~\/)[^\0]*$/, 'expected an absolute path, or one that begins with ~/');
