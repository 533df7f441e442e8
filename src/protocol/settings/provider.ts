// A provider of tools in the configuration: an MCP server that the bridge starts, reaches or loads.
import { z } from 'zod';
import { duration } from '../duration.ts';
import { whole } from '../whole.ts';

/** `read:vault`, `write:*`, `net`, `exec`: what a tool does, as the operator grants it and the policy asks for it. */
export const ToolPermission = z
  .string()
  .regex(
    /^(?:(?:read|write):(?:[a-z][a-z0-9-]*|\*)|net|exec)$/,
    'expected read:<what>, write:<what>, net or exec',
  );
export type ToolPermission = z.infer<typeof ToolPermission>;

const permissions = z.array(ToolPermission).max(50);

/** Under this name the bridge offers tools of its own. */
export const bridgeProvider = 'synthesis';

/** Of its tools' names for Claude, `<provider>_<tool>`, the first part. */
export const ProviderName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected at most 32 lower-case letters, digits and -, a letter first')
  .refine((name) => name !== bridgeProvider, `${bridgeProvider} is the bridge itself`);

const isSafeServer = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? '');
};

export const Provider = z.lazy(() =>
  z
    .strictObject({
      name: ProviderName,
      command: z
        .array(z.string().min(1))
        .min(1)
        .optional()
        .describe(
          'Program and arguments of an MCP server that speaks over its standard input and output; no shell.',
        ),
      url: z
        .url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' })
        .refine(isSafeServer, 'only https:// is allowed beyond this machine')
        .optional()
        .describe('Address of an MCP server that speaks streamable HTTP.'),
      module: z
        .string()
        .regex(/^\//, 'expected an absolute path')
        .optional()
        .describe('A file that exports an MCP server by default; it runs in the bridge.'),
      env: z
        .record(z.string().regex(/^[A-Za-z_]\w*$/), z.string())
        .default({})
        .describe('Environment of `command`, besides PATH, HOME and the like.'),
      headers: z
        .record(z.string().min(1), z.string())
        .default({})
        .describe('Sent to `url` with every request.'),
      cwd: z
        .string()
        .regex(/^\//, 'expected an absolute path')
        .optional()
        .describe('Where `command` is started.'),
      tools: z
        .array(z.string().min(1))
        .min(1)
        .default(['*'])
        .describe('Which of its tools Claude gets; `*` stands for any text.'),
      permissions: z
        .union([permissions, z.record(z.string().min(1), permissions)])
        .default(['exec'])
        .describe(
          'What its tools may do: for all of them, or by the name of the tool (`*` stands for any text).',
        ),
      timeoutMs: duration('100ms', '1h').prefault(60_000).describe('A call is given up after.'),
      concurrency: whole(1, 100).default(4).describe('Calls that it works on at a time.'),
      queue: whole(0, 1_000).default(32).describe('Calls that may wait besides.'),
      // With its envelope it stays below 100,000, above which Claude Code hands the model a file name instead.
      resultCharacters: whole(1_000, 90_000)
        .default(90_000)
        .describe('A longer result is cut in the middle, with words.'),
    })
    .refine(({ command, url, module }) => [command, url, module].filter(Boolean).length === 1, {
      error: 'expected one of command, url and module',
    })
    .describe('An MCP server whose tools Claude gets.'),
);
export type Provider = z.infer<typeof Provider>;
