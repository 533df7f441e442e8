import type { Config } from '../../protocol/settings/config.ts';
import { QueueDesk } from '../app/desks/queue-desk.ts';
import type { Dispatcher } from '../app/dispatcher.ts';
import { approvers, queueMode } from '../profiles.ts';

export const queueDesk = (config: Config, dispatcher: Dispatcher): QueueDesk =>
  new QueueDesk({
    dispatcher,
    queueModeFor: (key) => queueMode(config, key),
    approversFor: (key) => approvers(config, key),
  });
