import { OpenClawClient } from './openclaw-client.ts';

/** OpenClaw's main conversation with a bridge; its tools answer with their names. */
export const mainChat = (bridge: { url: string; token: string }): OpenClawClient =>
  new OpenClawClient({
    url: () => bridge.url,
    token: bridge.token,
    sessionKey: 'agent:main:main',
    sessionId: 'session-of-the-test',
    headers: { 'x-openclaw-session-key': encodeURIComponent('agent:main:main') },
    runTool: async (name) => `${name} ran in the hub`,
    pause: async () => {},
  });
