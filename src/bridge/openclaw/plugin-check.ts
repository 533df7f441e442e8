// Is the plugin in OpenClaw the one of this release? Pure, except for the one question to OpenClaw.
import { isOlder } from '../../base/text/version-order.ts';
import { type Check, ok, warning } from '../../domain/views/check.ts';
import type { ConfigView } from './config-view.ts';
import type { OpenClaw, PluginState } from './openclaw-cli.ts';
import { pluginId } from './plugin.ts';
import { isObject } from './provider-entry.ts';

const name = 'plugin';
const install = '`synthesis openclaw install --with-plugin`';

/** @param shipped version of the plugin in this package */
export async function pluginCheck(view: ConfigView, cli: OpenClaw, shipped: string): Promise<Check> {
  const entry = await view.get('plugins', 'entries', pluginId);
  // OpenClaw keeps a mark of an uninstalled plugin: `enabled: false` and nothing else.
  if (entry === undefined || (isObject(entry) && entry.enabled === false && !('hooks' in entry))) {
    return ok(name, `The plugin is not installed; ${install} adds it.`);
  }
  return pluginFinding(await cli.plugin(pluginId), entry, shipped);
}

/** @param entry what the configuration says of it */
export function pluginFinding(state: PluginState | undefined, entry: unknown, shipped: string): Check {
  if (!state) {
    const words = 'The plugin is configured in OpenClaw but not installed.';
    return warning(name, words, `Run ${install}, or \`openclaw config unset plugins.entries.${pluginId}\`.`);
  }
  if (!state.enabled) {
    return warning(name, 'The plugin is switched off in OpenClaw.', `Run ${install}.`);
  }
  if (!isObject(entry) || !isObject(entry.hooks) || entry.hooks.allowConversationAccess !== true) {
    const words = 'OpenClaw does not let the plugin see which conversation a request belongs to.';
    return warning(name, words, `Run ${install}: it sets plugins.entries.${pluginId}.hooks.`);
  }
  const { version } = state;
  if (version === shipped) return ok(name, `The plugin ${shipped} names conversations and senders.`);
  if (version !== undefined && isOlder(shipped, version)) {
    return warning(
      name,
      `The plugin in OpenClaw is ${version}, newer than the ${shipped} of this release.`,
      `Update synthesis to the release it came from, or run ${install} to put ${shipped} in its place.`,
    );
  }
  const which = version === undefined ? 'has no version' : `is ${version}, older than this release`;
  return warning(name, `The plugin in OpenClaw ${which}; ${shipped} belongs to it.`, `Run ${install}.`);
}
