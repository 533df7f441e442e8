// Rules about what may be used without a person, with whose yes, or not at all. The first one that fits decides.
import { z } from 'zod';

/** Who has to say yes where not anybody who may answer will do. */
export const Needs = z.union([
  z.literal('operator').describe('Only the operator may answer.'),
  z
    .strictObject({ quorum: z.int().min(2).max(20) })
    .describe('So many different proven people have to say yes.'),
]);
export type Needs = z.infer<typeof Needs>;

export const PolicyDecision = z.union([z.enum(['allow', 'ask', 'deny']), Needs]);
export type PolicyDecision = z.infer<typeof PolicyDecision>;

/** Where the message came in that Claude works on. `adopted`: typed into Claude's terminal, or begun by Claude itself. */
export const PolicyDoor = z.enum(['openai', 'agp', 'operator', 'adopted']);
export type PolicyDoor = z.infer<typeof PolicyDoor>;

const text = z.string().trim().min(1);

export const PolicyRule = z.lazy(() =>
  z
    .strictObject({
      session: text.optional().describe('Session key; `*` stands for any text.'),
      door: PolicyDoor.optional().describe('Where the message came in.'),
      sender: text.optional().describe('`id` or `channel:id` of whoever wrote the message.'),
      tool: z
        .union([text, z.array(text).min(1)])
        .optional()
        .describe('Name of a tool, or several; `*` stands for any text.'),
      permission: z
        .union([text, z.array(text).min(1)])
        .optional()
        .describe("What a provider's tool may do, or several such; `*` stands for any text."),
      command: text.optional().describe('First words of a shell command; `*` stands for any text in a word.'),
      path: text.optional().describe('A file, or a folder and all in it; `*` and `**` as in a shell.'),
      host: text.optional().describe('Host of a URL; `*` stands for any text.'),
      unattended: z.boolean().optional().describe('Whether nobody is there to be asked.'),
      sandboxed: z
        .boolean()
        .optional()
        .describe("Whether it is a shell command of Claude's that runs in Claude Code's sandbox."),
      decision: PolicyDecision,
      reason: text.optional().describe('What Claude, or whoever is asked, is told.'),
    })
    .describe('One rule of the policy. What it does not name fits.'),
);
export type PolicyRule = z.infer<typeof PolicyRule>;
