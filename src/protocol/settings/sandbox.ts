// Whether the shell commands of a session run in Claude Code's own sandbox.
import { z } from 'zod';

/** `off`: Claude Code's own settings decide. `on`: in the sandbox, if there can be one. `required`: or not at all. */
export const SandboxMode = z.enum(['off', 'on', 'required']);
export type SandboxMode = z.infer<typeof SandboxMode>;

/** As Claude Code takes it in `sandbox.network.allowedDomains`: `example.com`, `*.example.com`, `127.0.0.1:8080`. */
export const AllowedDomain = z
  .string()
  .max(260)
  .regex(
    /^(?:\*\.)?[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?$/,
    'expected a host such as example.com, *.example.com or 127.0.0.1:8080',
  );
