// The journal's events about permission questions: one record per ask.
import { z } from 'zod';
import { Needs } from '../settings/policy.ts';

/** Where the answer to a permission question came from. */
export const Door = z.enum(['chat', 'cli', 'tui', 'terminal', 'gateway', 'expiry', 'bridge']);
export type Door = z.infer<typeof Door>;

export const Verdict = z.enum(['allow', 'deny']);
export type Verdict = z.infer<typeof Verdict>;

/** A change of Claude Code's permission rules in its own words: `{type, …, destination}`. */
export const PermissionSuggestion = z.record(z.string(), z.unknown());
export type PermissionSuggestion = z.infer<typeof PermissionSuggestion>;

export const permissionEvents = [
  /** A rule of the policy decided, without a person. */
  z.object({
    type: z.literal('policy.ruled'),
    turn: z.string().optional(),
    tool: z.string(),
    input: z.unknown(),
    tool_use: z.string().optional(),
    verdict: Verdict,
    /** The rule and what it looked at, in words. */
    rule: z.string(),
  }),
  z.object({
    type: z.literal('permission.asked'),
    turn: z.string().optional(),
    /** Five letters a-z without l; never used twice. */
    code: z.string(),
    tool: z.string(),
    input: z.unknown(),
    rationale: z.string().optional(),
    /** Wall clock, epoch ms. The deadline runs on the monotonic clock; only a bridge that is started anew goes by this. */
    expires_at: z.number(),
    tool_use: z.string().optional(),
    /** Only a preview of the input is known, and it was cut: nobody outside Claude's terminal can see the rest. */
    cut: z.boolean().optional(),
    /** What Claude Code would add to its rules for "don't ask again", as it suggested it. */
    suggestions: z.array(PermissionSuggestion).optional(),
    /** Who has to say yes, where not anybody who may answer will do. */
    needs: Needs.optional(),
    /** What asks for it, in words: a rule of the policy, or what holds without one. */
    rule: z.string().optional(),
    /** The call of a lent tool that waits for the answer: `tool` and `input` are what would be run. */
    call: z.string().optional(),
    /** Whose tool it is that `call` means; absent: the hub's. */
    provider: z.string().optional(),
    /** Number of the hook that is held for the answer. */
    hook: z.number().int().optional(),
    /** The agent that asks; absent: the main thread. */
    agent: z.object({ id: z.string(), title: z.string().optional() }).optional(),
  }),
  /** One yes of several that are needed. */
  z.object({
    type: z.literal('permission.voted'),
    code: z.string(),
    /** Proven id, with the channel in front: each counts once. */
    voter: z.string(),
    who: z.string().optional(),
    shown: z.string().optional(),
  }),
  z.object({
    type: z.literal('permission.decided'),
    code: z.string(),
    verdict: Verdict,
    by: Door,
    who: z.string().optional(),
    reason: z.string().optional(),
    scope: z.enum(['once', 'session']).default('once'),
    /** Names what whoever answered had been shown: 16 hex digits of a SHA-256 over it. */
    shown: z.string().optional(),
  }),
  /** Somebody tried a code that is none; too many end the question. */
  z.object({ type: z.literal('permission.guessed'), code: z.string() }),
  /** A chat was shown the question, or how it was answered through another door. */
  z.object({ type: z.literal('permission.told'), code: z.string(), what: z.enum(['question', 'outcome']) }),
  /** A chat that could not show all of it at once was shown this part, counted from 1. */
  z.object({ type: z.literal('permission.shown'), code: z.string(), part: z.number().int().positive() }),
  z.object({ type: z.literal('permission.sent'), code: z.string() }),
  z.object({
    type: z.literal('permission.settled'),
    code: z.string(),
    outcome: z.enum(['applied', 'expired', 'superseded']),
    detail: z.string().optional(),
  }),
] as const;
