// The home of a user who has answered Claude Code's questions once: what a person clicks on the first run is written here.
// Nothing else of Claude Code's own state is touched.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnv } from './peers.ts';

/** Asks nothing at the start, unlike ANTHROPIC_API_KEY; the scripted API accepts any value. */
const dummyToken = 'dummy-token-for-a-scripted-api';

/**
 * Writes `~/.claude.json` as it is after the onboarding.
 *
 * @param trusted directories for which the user has said "Yes, I trust this folder"
 */
export async function answerFirstRun(home: string, trusted: string[]): Promise<void> {
  const answers = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    numStartups: 5,
    projects: Object.fromEntries(
      trusted.map((dir) => [dir, { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }]),
    ),
  };
  await writeFile(join(home, '.claude.json'), JSON.stringify(answers), { mode: 0o600 });
}

/** The variables with which a Claude Code talks to nothing but `apiUrl`: updates, telemetry and other calls are off. */
const variables = (apiUrl: string): Record<string, string> => ({
  ANTHROPIC_BASE_URL: apiUrl,
  ANTHROPIC_AUTH_TOKEN: dummyToken,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
});

/**
 * Says the same in `~/.claude/settings.json`, for a Claude Code whose environment is made by somebody who takes variables
 * out of it.
 */
export async function tellInSettings(home: string, apiUrl: string): Promise<void> {
  await mkdir(join(home, '.claude'), { recursive: true, mode: 0o700 });
  const settings = JSON.stringify({ env: variables(apiUrl) });
  await writeFile(join(home, '.claude/settings.json'), settings, { mode: 0o600 });
}

/**
 * The environment of a Claude Code that talks to nothing but a scripted Messages API.
 *
 * @param apiUrl its URL
 */
export const claudeEnv = (
  home: string,
  apiUrl: string,
  extra: Record<string, string> = {},
): Record<string, string> => cleanEnv(home, { ...variables(apiUrl), ...extra });
