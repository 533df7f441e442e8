import type { ToolPort } from '../../src/bridge/app/ports.ts';

/** A house without providers of tools. */
export const noTools: ToolPort = {
  run: (_key, { tool }) => {
    throw new Error(`nobody runs ${tool}`);
  },
  cancel: () => {},
};
