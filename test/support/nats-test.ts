import { test } from 'vitest';
import { natsServer } from './nats.ts';

/** A test with real nats-servers: skipped where that program is not installed, but for the CI, which installs it. */
export const natsTest = test.skipIf(natsServer === undefined && !process.env.CI);
