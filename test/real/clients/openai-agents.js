// The OpenAI Agents SDK, which continues responses by their ids.
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';

setTracingDisabled(true);
const word = 'agents';
const runner = new Runner({
  modelProvider: new OpenAIProvider({
    apiKey: process.env.API_KEY,
    baseURL: process.env.BASE_URL,
    useResponses: true,
  }),
});
const ran = [];
const weather = tool({
  name: 'weather',
  description: 'The weather in a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => {
    ran.push(city);
    return `sunny in ${city}`;
  },
});
const agentOf = (model, tools = []) =>
  new Agent({ name: 'Assistant', instructions: 'Be brief.', model, tools });
const claude = agentOf('claude');

const first = await runner.run(claude, `the word is ${word}`);
const second = await runner.run(claude, 'which word?', { previousResponseId: first.lastResponseId });

const chunks = [];
const stream = await runner.run(claude, `count for ${word}`, { stream: true });
for await (const chunk of stream.toTextStream()) chunks.push(chunk);
await stream.completed;

// Two runs with a tool, the second of which continues the first by its id alone.
const before = await runner.run(agentOf('claude', [weather]), `use the weather for ${word}`);
const asked = await runner.run(agentOf('claude', [weather]), `use the weather again for ${word}`, {
  previousResponseId: before.lastResponseId,
});
const failed = await runner.run(claude, `fail for ${word}`);
const refused = await runner.run(agentOf('gpt'), 'hi').then(
  () => 'taken',
  (error) => error.message,
);
console.log(
  JSON.stringify({
    first: first.finalOutput,
    second: second.finalOutput,
    chunks,
    ran,
    asked: asked.finalOutput,
    failed: failed.finalOutput,
    refused,
  }),
);
