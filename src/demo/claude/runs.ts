// The invocations that take more than a line: a session, and one question.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Launch, runInteractive } from './interactive.ts';
import { printed, type Question } from './print.ts';
import { identify } from './settings/identity.ts';
import type { Knobs } from './settings/knobs.ts';
import { type Loaded, loadMcpConfig, loadSettings } from './settings/settings.ts';
import type { Rule } from './turn/brain.ts';
import { configDir } from './turn/transcript.ts';

/** Reads every file the flags name, refuses in Claude Code's words, then hands over to the terminal. */
export async function runSession({
  flags,
  knobs,
  env,
  version,
}: Pick<Launch, 'flags' | 'knobs' | 'env' | 'version'>): Promise<number> {
  const cwd = process.cwd();
  const settings = loadSettings(flags.settings, join(configDir(env), 'settings.json'));
  const servers = loadMcpConfig(flags.mcpConfig, env);
  const identity = identify(flags, env);
  const rules = loadRules(knobs.script);
  const refusal = [settings, servers, identity, rules].find((loaded) => !loaded.ok);
  if (refusal && !refusal.ok) return refuse(refusal.message);
  if (!settings.ok || !servers.ok || !identity.ok || !rules.ok) return 1;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    return refuse(
      'Error: Input must be provided either through stdin or as a prompt argument when using --print',
    );
  switch (knobs.start.kind) {
    case 'exit':
      process.stdout.write('Simulated failure at start\n');
      return knobs.start.code;
    case 'hang':
      await sleep(2 ** 31 - 1);
      return 1;
    case 'slow':
      await sleep(knobs.start.ms);
      break;
    default:
      break;
  }
  return runInteractive({
    flags,
    knobs,
    env,
    cwd,
    settings: settings.value,
    mcpEntries: servers.value,
    identity,
    rules: rules.value,
    version: knobs.start.kind === 'old' ? '1.0.0' : version,
    offersCompletion: (path) => knobs.attachments && matchesFile(resolve(cwd, path)),
  });
}

/** One question, one answer, no session. */
export async function runPrint({ system, tools }: Question, { script, signedIn }: Knobs): Promise<number> {
  const rules = loadRules(script);
  if (!rules.ok) return refuse(rules.message);
  const { line, code, ms } = printed(await text(process.stdin), { system, tools }, rules.value, signedIn);
  await sleep(ms);
  process.stdout.write(`${line}\n`);
  return code;
}

function refuse(message: string): number {
  process.stdout.write(`${message}\n`);
  return 1;
}

const Rules = z.array(z.object({ when: z.string(), answer: z.string() }));

function loadRules(file: string | undefined): Loaded<Rule[]> {
  if (file === undefined) return { ok: true, value: [] };
  try {
    return { ok: true, value: Rules.parse(JSON.parse(readFileSync(file, 'utf8'))) };
  } catch (error) {
    return {
      ok: false,
      message: `Error: SIM_SCRIPT ${file} is not a list of {when, answer}: ${String(error)}`,
    };
  }
}

function matchesFile(path: string): boolean {
  const folder = dirname(path);
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(basename(path)));
}
