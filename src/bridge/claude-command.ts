/** `--claude` names an executable; a JavaScript file is run with this Node, so that the demo and the tests can be one. */
export function claudeCommand(claude: string): string[] {
  return /\.[cm]?[jt]s$/.test(claude) ? [process.execPath, claude] : [claude];
}
