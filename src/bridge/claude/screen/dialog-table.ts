import type { FailureCode } from '../../../protocol/events/failures.ts';

export interface KnownDialog {
  id: string;
  /** All of them must be on the screen. */
  marks: readonly RegExp[];
  failure: FailureCode;
  /** What it means and what the operator can do. */
  words: string;
  /** Its answer starts nothing and lets nothing loose: a chat may give it. */
  harmless?: true;
}

/** The one dialog that may be confirmed, and only with the operator's consent on record. */
export const developmentChannels = 'development_channels';

/**
 * Dialogs of Claude Code 2.1.329 that keep a session from starting. The text of the development channels dialog is as
 * users report it (anthropics/claude-code#71792); it could not be drawn offline.
 */
export const knownDialogs: readonly KnownDialog[] = [
  {
    id: 'trust',
    marks: [/Yes, I trust this folder/, /No, exit/],
    failure: 'folder_untrusted',
    words:
      'Claude Code asks whether you trust this folder. Run "claude" in it once and answer, or choose another folder.',
  },
  {
    id: developmentChannels,
    marks: [/WARNING: Loading development channels/, /I am using this for local development/],
    failure: 'start_dialog',
    words:
      'Claude Code asks whether to load the development channel. Agree in its terminal, or set channels.development to true.',
  },
  {
    id: 'api_key',
    marks: [/Detected a custom API key in your environment/],
    failure: 'start_dialog',
    words: 'Claude Code found ANTHROPIC_API_KEY and asks whether to use it. Run "claude" once and answer.',
  },
  {
    id: 'onboarding',
    marks: [/Let's get started\.|Select login method|Choose the text style that looks best/],
    failure: 'claude_signed_out',
    words: 'Claude Code was never set up for this user. Run "claude" once and sign in.',
  },
  {
    id: 'bypass',
    marks: [/Claude Code running in Bypass Permissions mode/, /No, exit/],
    failure: 'start_dialog',
    words:
      'Claude Code wants a confirmation for bypassing permissions. Accept it once in "claude", or use another permission mode.',
  },
  {
    id: 'project_mcp',
    marks: [/New MCP servers? found in this project|New MCP server found in \.mcp\.json/],
    failure: 'start_dialog',
    words: 'Claude Code asks about MCP servers of this folder. Run "claude" in it once and answer.',
  },
  {
    id: 'settings_error',
    marks: [/Settings (?:Error|Warning)/],
    failure: 'start_dialog',
    words: 'Claude Code rejects a settings file. Run "claude" in this folder and read what it says.',
  },
  {
    id: 'resume_choice',
    marks: [/Resume from summary/, /Resume full session/],
    failure: 'start_dialog',
    words:
      'The conversation is old and long; Claude Code asks whether to resume all of it. Answer in its terminal.',
    // Esc resumes all of it, too, by the program of 2.1.332.
    harmless: true,
  },
];

export const unknownDialog: Omit<KnownDialog, 'marks'> = {
  id: 'unknown',
  failure: 'start_dialog',
  words: 'Claude Code shows a question that is not known. Answer it in its terminal.',
};
