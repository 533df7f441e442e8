// "For this session": what Claude Code suggests it could stop asking about, cut down to what ends with its session.
import type { PermissionSuggestion } from '../../protocol/events/permission-events.ts';
import { visible } from '../safe-text.ts';

/** Modes that a suggestion may switch to. Never one in which nobody is asked any more. */
const modes: Readonly<Record<string, string>> = {
  acceptEdits: 'accept edits of files in its folder',
  default: 'ask each time',
  plan: 'plan without changing anything',
};

/** The suggestions that may be accepted, none of which outlives the session or reaches a settings file. */
export function sessionRules(suggestions: readonly PermissionSuggestion[]): PermissionSuggestion[] {
  return suggestions
    .filter((suggestion) => ruleText(suggestion) !== undefined)
    .map((suggestion) => ({ ...suggestion, destination: 'session' }));
}

/** The same for people, one line each. */
export const sessionRuleTexts = (suggestions: readonly PermissionSuggestion[]): string[] =>
  suggestions.flatMap((suggestion) => ruleText(suggestion) ?? []);

function ruleText(suggestion: PermissionSuggestion): string | undefined {
  switch (suggestion.type) {
    case 'addRules': {
      const rules = recordsOf(suggestion.rules).map(toolRule);
      return suggestion.behavior === 'allow' && rules.length > 0 ? `allow ${rules.join(', ')}` : undefined;
    }
    case 'addDirectories': {
      const folders = Array.isArray(suggestion.directories) ? suggestion.directories : [];
      return folders.length === 0 ? undefined : `work in ${folders.map(line).join(', ')}`;
    }
    case 'setMode':
      return typeof suggestion.mode === 'string' ? modes[suggestion.mode] : undefined;
    default:
      return undefined;
  }
}

function toolRule({ toolName, ruleContent }: Record<string, unknown>): string {
  return ruleContent === undefined ? line(toolName) : `${line(toolName)}(${line(ruleContent)})`;
}

const recordsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];

const line = (value: unknown): string => visible(String(value).replace(/\s+/g, ' '));
