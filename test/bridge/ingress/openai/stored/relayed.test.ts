// What another node asks of a response goes no further from here.

import { expect, test } from 'vitest';
import { type Exchange, Routes } from '../../../../../src/bridge/http/routes.ts';
import { storedResponseRoutes } from '../../../../../src/bridge/ingress/openai/stored/stored-response-routes.ts';
import { StoredResponses } from '../../../../../src/bridge/ingress/openai/stored/stored-responses.ts';
import { NOT_HERE_HEADER } from '../../../../../src/protocol/cluster/cluster.ts';
import { noMasks } from '../../../../support/no-masks.ts';
import { SmallBridge } from '../../../../support/small-bridge.ts';

test.each([
  ['GET', ''],
  ['GET', '/input_items'],
  ['DELETE', ''],
  ['POST', '/cancel'],
])('%s of a response that is not here: a node is sent back, a client is answered', async (method, path) => {
  await using bridge = await SmallBridge.start();
  const { dispatcher } = bridge;
  const answerFor = async (isAdopted: boolean) => {
    const routes = new Routes();
    storedResponseRoutes(routes, {
      dispatcher,
      stored: new StoredResponses(dispatcher),
      masks: noMasks,
      elsewhere: { send: async (_, { relayed }) => ({ kind: relayed ? 'not_here' : 'here' }) },
      isAdopted: () => isAdopted,
      admitted: (handler) => (exchange) => handler(exchange, undefined),
    });
    const found = routes.find({ method, url: `/v1/responses/resp_${'0'.repeat(32)}t1${path}` });
    return await found?.handler({ ...found, request: {} } as unknown as Exchange);
  };
  expect(await answerFor(true)).toMatchObject({ status: 421, headers: { [NOT_HERE_HEADER]: '1' } });
  expect(await answerFor(false)).toMatchObject({ status: 404 });
});
