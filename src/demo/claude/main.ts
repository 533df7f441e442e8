// The simulated Claude Code: a real program with a real terminal, hooks and MCP servers, and a script for a brain.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { never } from '../../base/never.ts';
import type { Rule } from './brain.ts';
import { type Flags, parseArgv } from './flags.ts';
import { identify } from './identity.ts';
import { runInteractive } from './interactive.ts';
import { type Knobs, readKnobs } from './knobs.ts';
import { liveSessions } from './live-sessions.ts';
import { printed, type Question } from './print.ts';
import { type Loaded, loadMcpConfig, loadSettings } from './settings.ts';

const version = '2.1.329';

/** Runs one invocation. @returns the exit code; an interactive session ends the process itself. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const knobs = readKnobs(env);
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const invocation = parseArgv(argv);
  switch (invocation.kind) {
    case 'version':
      say(`${knobs.start.kind === 'old' ? '1.0.0' : version} (Claude Code)`);
      return 0;
    case 'auth-status':
      say(
        JSON.stringify(
          { loggedIn: knobs.signedIn, authMethod: knobs.signedIn ? 'simulated' : 'none' },
          null,
          2,
        ),
      );
      return knobs.signedIn ? 0 : 1;
    case 'agents':
      say(JSON.stringify(liveSessions(env)));
      return 0;
    case 'error':
      process.stderr.write(`${invocation.message}\n`);
      return 1;
    case 'print':
      return print(invocation, knobs);
    case 'interactive':
      return interactive(invocation.flags, knobs, env);
    default:
      return never(invocation);
  }
}

/** Reads every file the flags name, refuses in Claude Code's words, then hands over to the terminal. */
async function interactive(flags: Flags, knobs: Knobs, env: NodeJS.ProcessEnv): Promise<number> {
  const cwd = process.cwd();
  const settings = loadSettings(flags.settings);
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
async function print({ system, tools }: Question, { script, signedIn }: Knobs): Promise<number> {
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

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env);
