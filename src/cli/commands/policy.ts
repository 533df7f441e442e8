import type { PolicyDoor } from '../../protocol/settings/policy.ts';
import { readConfig } from '../config/config.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson } from '../output/out.ts';
import { configFile } from '../paths.ts';

export interface PolicyTestOptions {
  session: string;
  tool: string;
  /** JSON, or a shell command. */
  input: string;
  door?: PolicyDoor;
  sender?: string;
  unattended: boolean;
  json: boolean;
}

/** Exit code 0: it goes through without a question; 5: it does not. */
export async function policyTest({ input, json, ...question }: PolicyTestOptions): Promise<number> {
  const config = readConfig(configFile(process.env), process.env, {});
  const [{ tryPolicy }, { sandboxedNow }] = await Promise.all([
    import('../../bridge/policy/try-policy.ts'),
    import('../../bridge/policy/sandboxed-now.ts'),
  ]);
  const here = { ...config, cwd: config.cwd ?? process.cwd() };
  const sandboxed = await sandboxedNow(here, question.session, process.env);
  const ruling = tryPolicy(here, { ...question, sandboxed, input: inputOf(input) });
  if (json) printJson({ rule: null, reason: null, ...ruling });
  else print(`${decisionName(ruling.decision)}: ${ruling.why}${ruling.reason ? `: ${ruling.reason}` : ''}`);
  return ruling.decision === 'allow' ? exitCodes.ok : exitCodes.denied;
}

const decisionName = (decision: string | { quorum: number }): string =>
  typeof decision === 'object' ? `quorum of ${decision.quorum}` : decision;

function inputOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // No JSON: a command, as it would be typed.
  }
  return { command: text };
}
