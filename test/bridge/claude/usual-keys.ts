import { keyBindings } from '../../../src/bridge/claude/keys/key-bindings.ts';
import { promptKeys } from '../../../src/bridge/claude/keys/prompt-keys.ts';

/** Of a user who has bound none. */
export const usualKeys = async () => promptKeys(keyBindings('{}', undefined));

/** Sends what stands in the box. */
export const submitKey = '\x18\x13';
