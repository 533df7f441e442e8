import { expect, test } from 'vitest';
import { letsLoose, trustsFolder } from '../../../../src/bridge/claude/screen/lets-loose.ts';

// Those with a source are words of Claude Code 2.1.332; the others say the same as no release does yet.
const loose = {
  trust: [
    'Quick safety check: Is this a project you created or one you trust?',
    'Do you know who wrote what is in this folder?',
    'Is it safe to work here?',
    'Work in /home/u/x?\nIts files may be malicious',
    'Managed settings require approval',
    'Allow external CLAUDE.md file imports?',
    'Never do this for third-party repositories.',
  ],
  'MCP servers and other programs': [
    'New MCP server found in this project: other',
    'Two tool servers come with this project',
    'Use the kites plug-in?',
    'Install this LSP plugin?',
    'Connectors of this repository:',
    'This project has hooks',
    'Some settings were skipped',
    'May it run a small program?',
    'Execute what is configured?',
  ],
  'bypassing permissions': [
    'WARNING: Claude Code running in Bypass Permissions mode',
    'Sessions start in auto mode',
    'Work on without asking you?',
    'Leave the sandbox?',
    'Claude may skip its questions',
  ],
  'signing in': [
    'Select login method:',
    'You are signed out',
    'Please sign\nin again',
    'Log in to go on',
    'Logged out',
    'This session belongs to another account',
    'Authenticate first',
    'Which organization?',
    'Open your browser',
    'Updates to Consumer Terms and Policies',
    'Updates to your privacy settings',
  ],
  'API keys': [
    'Detected a custom API key in your environment',
    'Use the key that was found?',
    'A token was found in your environment',
    'Keep this secret?',
  ],
  'development channels': [
    'WARNING: Loading development channels',
    'Listen to this channel?',
    'This is a developer preview',
    'Enable Remote Control',
  ],
};

test.each(Object.entries(loose).flatMap(([about, texts]) => texts.map((text) => [about, text] as const)))(
  '%s is for the operator alone: %s',
  (_, text) => {
    expect(letsLoose(text)).toBe(true);
    expect(letsLoose(text.toUpperCase())).toBe(true);
  },
);

test.each([
  'Something new wants to be decided\nLeave\nContinue',
  "You're resuming an Opus 5 session. Continue with Opus 5.5?\nKeep Opus 5\nContinue with Opus 5.5",
  'Choose how tables are drawn\nPlain\nWith frames\nEnter to confirm · Esc to cancel',
  'This session is 2h old and 120k tokens.',
])('what it looks like, and with which model it goes on, is not: %s', (text) => {
  expect(letsLoose(text)).toBe(false);
});

test('while a session runs only trust in a folder is, for an MCP server may ask the user something', () => {
  expect(trustsFolder('MCP server “kites” requests your input')).toBe(false);
  expect(trustsFolder('Yes, I trust this folder')).toBe(true);
});
