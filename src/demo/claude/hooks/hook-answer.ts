import { z } from 'zod';

const PermissionUpdate = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('addRules'),
    rules: z.array(z.object({ toolName: z.string(), ruleContent: z.string().optional() })),
    behavior: z.string().optional(),
    destination: z.string(),
  }),
  z.object({ type: z.literal('setMode'), mode: z.string(), destination: z.string() }),
  z.object({ type: z.literal('addDirectories'), directories: z.array(z.string()), destination: z.string() }),
]);
export type PermissionUpdate = z.infer<typeof PermissionUpdate>;

const PermissionDecision = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
    updatedPermissions: z.array(PermissionUpdate).optional(),
  }),
  z.object({
    behavior: z.literal('deny'),
    message: z.string().optional(),
    interrupt: z.boolean().optional(),
  }),
]);
export type PermissionDecision = z.infer<typeof PermissionDecision>;

/** What a hook may answer; what is not understood is no answer. */
export const HookAnswer = z.looseObject({
  decision: z.string().optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      additionalContext: z.string().optional(),
      decision: PermissionDecision.optional(),
      permissionDecision: z.string().optional(),
      permissionDecisionReason: z.string().optional(),
    })
    .optional(),
});
export type HookAnswer = z.infer<typeof HookAnswer>;

/** Reads a hook's output. Empty, not JSON or another shape: `{}`, which decides nothing. */
export function readHookAnswer(text: string): HookAnswer {
  try {
    const parsed = HookAnswer.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** Why a hook blocked the prompt, if one did. */
export function blockOf(answers: readonly HookAnswer[]): string | undefined {
  const block = answers.find(({ decision }) => decision === 'block');
  return block ? (block.reason ?? 'no reason given') : undefined;
}

/** What hooks add to the prompt. */
export const contextOf = (answers: readonly HookAnswer[]): string[] =>
  answers.flatMap(({ hookSpecificOutput }) => hookSpecificOutput?.additionalContext ?? []);
