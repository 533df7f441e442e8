import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgpBridge } from '../../../support/agp-bridge.ts';
import { AgpGateway } from '../../../support/agp-gateway.ts';
import { until } from '../../../support/until.ts';

let gateway: AgpGateway;
let bridge: AgpBridge;

beforeEach(async () => {
  gateway = await AgpGateway.start();
  bridge = new AgpBridge({ url: gateway.url }).start();
  await gateway.connected();
});

afterEach(async () => {
  await bridge[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

test('a prompt is answered in the session bound to the gateway and the conversation, streamed and whole', async () => {
  const seen = await gateway.ask('wx-1', 'good morning');
  expect(seen.response).toMatchObject({ stop_reason: 'end_turn', content: 'You said: good morning' });
  expect(seen.streamed).toBe('You said: good morning');
  expect(bridge.dispatcher.sessions().map((session) => session.key)).toEqual([bridge.key('wx-1')]);
  expect(bridge.agent.prompts[0]?.prompt).toMatchObject({
    text: 'good morning',
    sender: { id: 'wx-alice' },
    meta: { source_channel: 'agp', source_chat: 'wx-1' },
  });
  expect(gateway.verdict()).toEqual([]);
  const session = bridge.dispatcher.session(bridge.key('wx-1'));
  await until(
    'the reply to count as sent',
    () => bridge.dispatcher.session(bridge.key('wx-1'))?.replies[0]?.sent,
  );
  expect(session?.turns[0]?.ingress).toBe('agp');
});
