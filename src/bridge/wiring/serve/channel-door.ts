// The door of Claude Code's channel servers.
import type { WebSocket } from 'ws';
import type { ClaudeAgent } from '../../claude/claude-agent.ts';

/**
 * Takes an upgraded `/bridge`.
 * @param agent undefined until the port is known: Claude Code is told where to connect
 */
export const channelDoor =
  (agent: () => Pick<ClaudeAgent, 'channels'> | undefined) =>
  (socket: WebSocket, proved: () => void): void => {
    const channels = agent()?.channels;
    if (channels) channels.accept(socket, proved);
    else socket.terminate();
  };
