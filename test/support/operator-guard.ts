import { Guard } from '../../src/bridge/control/guard.ts';

/** Everybody is a person at a terminal. */
export const operatorGuard = (): Guard =>
  new Guard({
    caller: () => ({ kind: 'operator', why: 'it is a test', from: 'pts/7: zsh' }),
    trusts: () => false,
    isProof: () => false,
    refused: () => {},
  });
