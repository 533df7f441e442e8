import type { StandInBridge } from '../../test/e2e/support/stand-in-bridge.ts';

const sessions = Array.from({ length: 6 }, (_, at) => `agent:main:telegram:direct:${4200 + at}`);
const words = 'The suite passes on both machines; what is left is the note in the change log. ';

/** Milliseconds between two handfuls of events. */
const beatMs = 25;

/** Six sessions whose Claude works on a message. */
export function beginTurns(bridge: StandInBridge): void {
  for (const key of sessions) {
    bridge.append(
      key,
      { type: 'session.opened', ingress: 'openai' },
      { type: 'turn.queued', turn: `t-${key}`, ingress: 'openai', text: 'How is the build?', meta: {} },
      { type: 'agent.ready', pid: 4711, delivery: 'channel', health: [] },
      { type: 'turn.running', turn: `t-${key}` },
    );
  }
}

/** Streams answers in all of them, `perSecond` pieces a second, until the returned function is called. */
export function streamAnswers(bridge: StandInBridge, perSecond: number): () => void {
  let sent = 0;
  const began = performance.now();
  const beat = setInterval(() => {
    const due = ((performance.now() - began) * perSecond) / 1000;
    for (; sent < due; sent += 1) {
      const key = sessions[sent % sessions.length] ?? '';
      const index = Math.floor(sent / sessions.length);
      const text = `${words}(${sent})\n`;
      bridge.append(key, {
        type: 'answer.delta',
        turn: `t-${key}`,
        message: 'm',
        index,
        text,
        final: false,
      });
    }
  }, beatMs);
  return () => clearInterval(beat);
}
