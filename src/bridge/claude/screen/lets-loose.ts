// Words of dialogs whose answer decides what Claude Code may do, starts programs, or speaks for whoever owns the account.
// Whoever may answer questions of Claude's need not be the one who may say that: such a dialog is for the operator alone.

/** Whether a folder is trusted is asked at any time. */
const trusts = /\btrust\w{0,10}\b[^.?!]{0,200}\b(?:folder|director|workspace|files|project)/i;

export const trustsFolder = (text: string): boolean => trusts.test(text);

/** At a start the rest of it is asked, by a later release in words that nobody knows yet: one too many costs little. */
const loose: readonly RegExp[] = [
  // Trust in a folder, and in what is in it.
  /trust|\bsaf(?:e|ety)\b|secur|\brisk|danger|malicious|\bharm|workspace|\bfolder|\bdirector(?:y|ies)\b|third[\s-]+party|\bimport/i,
  // Programs: MCP servers, plugins, hooks, and the settings that name them.
  /\bMCP\b|\bservers?\b|plug-?in|extension|connector|\bhooks?\b|\bsettings?\b|\binstall|\bexecut|\b(?:run|start|launch)\w*\s+(?:\S+\s+){0,3}?(?:program|command|code|script|process)/i,
  // What Claude does without asking.
  /permission|bypass|auto[\s-]*(?:mode|accept|approv)|\ballow|approv|sandbox|without\s+asking|\bskip/i,
  // The account, and what it agrees to.
  /\bsign\w*[\s-]+(?:in|out|up)\b|\blog\w*[\s-]*(?:in|out)\b|account|\bauth|credential|password|subscri|organi[sz]ation|browser|\bterms\b|privacy|\bpolic(?:y|ies)\b|consent/i,
  // API keys.
  /\bAPI\b|\bkeys?\b|secret|\btoken\b/i,
  // Development channels, and other ways in from outside.
  /\bchannels?\b|\bdevelop|\bremote/i,
];

export const letsLoose = (text: string): boolean => loose.some((words) => words.test(text));
