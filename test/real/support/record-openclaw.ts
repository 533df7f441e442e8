// What the real OpenClaw sends to a provider: a message, the next one, the result of a tool.
import { peers, type Recording } from '../../recorded/recording.ts';
import { shapeOf } from '../../recorded/shape.ts';
import { toolInputs } from '../../recorded/tool-inputs.ts';
import type { EchoProvider } from './echo-provider.ts';
import { versionOf } from './peers.ts';
import type { RealOpenClaw } from './real-openclaw.ts';

/** @param openclaw one that was asked nothing yet @param provider its only one */
export async function recordOpenClaw(openclaw: RealOpenClaw, provider: EchoProvider): Promise<Recording> {
  for (const words of ['hello', 'again', 'use ls']) await openclaw.agent('agent:main:main', words);
  const tools = provider.requests[0]?.body.tools ?? [];
  return {
    version: versionOf(peers.openclaw),
    tools: toolInputs(tools.map(({ function: { name, parameters } }) => ({ name, input: parameters }))),
    shapes: shapesOf(provider),
    screens: {},
    names: {},
    defaults: {},
  };
}

function shapesOf({ requests }: EchoProvider): Recording['shapes'] {
  const byPath = Object.groupBy(requests, ({ path = '' }) => path);
  return Object.fromEntries(
    Object.entries(byPath).flatMap(([path, seen = []]) => [
      [`headers of ${path}`, shapeOf(seen.map(({ headers }) => headers))],
      [
        `body of ${path}`,
        shapeOf(
          seen.map(({ body }) => body),
          ['tools[].function.parameters'],
        ),
      ],
    ]),
  );
}
