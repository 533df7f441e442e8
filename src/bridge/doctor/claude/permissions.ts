// Whoever can write to a chat can have Claude do what nobody is asked about.
import { type Check, ok, warning } from '../../../domain/views/check.ts';
import { asksNobody } from '../../../domain/views/words/mode-words.ts';
import type { PermissionMode } from '../../../protocol/settings/permission-mode.ts';
import { modePlaces } from '../../setup/modes.ts';
import type { Examination } from '../examination.ts';

const name = 'permissions';

/** The configuration as it is now; sessions that run keep a tighter mode until they are restarted. */
export const permissions: Examination = async ({ config }) => {
  const found = modePlaces(config).filter(({ mode }) => asksNobody(mode));
  if (found.length === 0)
    return [ok(name, 'By the configuration a person is asked about what no rule allows.')];
  return found.map(
    ({ mode, whose }): Check =>
      warning(
        name,
        `In sessions ${whose} ${deeds[mode] ?? 'nobody is asked'} (${mode}).`,
        'Set `permissionMode` to `manual` there, unless you want that for everybody who can write to them.',
      ),
  );
};

const deeds: Partial<Record<PermissionMode, string>> = {
  bypassPermissions: 'Claude does what it wants, and nobody is asked',
  auto: 'a classifier of Claude Code decides, and nobody is asked',
  dontAsk: 'what no rule allows is refused, and nobody is asked',
};
