import type { Row } from './row.ts';
import { clockJump } from './rows/clock-jump.ts';
import { damageRow } from './rows/damage.ts';
import { descriptors } from './rows/descriptors.ts';
import { duplicateHello } from './rows/duplicate-hello.ts';
import { fullDisk } from './rows/full-disk.ts';
import { halfOpen } from './rows/half-open.ts';
import { killAtAck } from './rows/kill-at-ack.ts';
import { killBridge } from './rows/kill-bridge.ts';
import { killChannel } from './rows/kill-channel.ts';
import { killClaude } from './rows/kill-claude.ts';
import { killClient } from './rows/kill-client.ts';
import { killInTurn } from './rows/kill-in-turn.ts';
import { killWhileTyping } from './rows/kill-while-typing.ts';
import { portInUse } from './rows/port-in-use.ts';
import { sigterm } from './rows/sigterm.ts';
import { slowConsumer } from './rows/slow-consumer.ts';
import { syncFails } from './rows/sync-fails.ts';
import { twoBridges } from './rows/two-bridges.ts';
import { upgradeRow } from './rows/upgrade.ts';
import { writeRefused } from './rows/write-refused.ts';

/** In the order in which they are played. */
export const rows: readonly Row[] = [
  killBridge,
  killInTurn,
  killWhileTyping,
  writeRefused,
  syncFails,
  killAtAck,
  killClaude,
  killChannel,
  duplicateHello,
  killClient,
  halfOpen,
  slowConsumer,
  sigterm,
  twoBridges,
  portInUse,
  clockJump,
  upgradeRow,
  damageRow,
  descriptors,
  fullDisk,
];
