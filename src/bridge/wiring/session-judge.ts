import type { Call } from '../../domain/policy/call.ts';
import type { Ruling } from '../../domain/policy/ruling.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { circumstances, ruleOn } from '../policy/policy.ts';
import { launchOptions } from '../profiles.ts';

/** What the policy of the configuration says to a call, by what its session works on now. */
export function sessionJudge(
  config: Config & { cwd: string },
  dispatcher: Dispatcher,
): (key: string, call: Call) => Ruling {
  return (key, call) => {
    const session = dispatcher.session(key);
    const launch = session?.claude?.launch ?? launchOptions(config, key);
    return ruleOn(config.policy, call, circumstances(key, session, launch), launch.cwd);
  };
}
