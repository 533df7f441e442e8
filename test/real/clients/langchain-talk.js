import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

/** What the test wants to see of a client, through LangChain. @param word what it asks Claude to remember */
export async function talk(options, word) {
  const modelOf = (model) =>
    new ChatOpenAI({
      model,
      apiKey: process.env.API_KEY,
      configuration: { baseURL: process.env.BASE_URL },
      maxRetries: 0,
      ...options,
    });
  const claude = modelOf('claude');
  const opening = new HumanMessage(`the word is ${word}`);
  const first = await claude.invoke([opening]);
  const second = await claude.invoke([opening, first, new HumanMessage('which word?')]);

  const chunks = [];
  for await (const chunk of await claude.stream(`count for ${word}`)) chunks.push(chunk.text);

  const ran = [];
  const weather = tool(
    ({ city }) => {
      ran.push(city);
      return `sunny in ${city}`;
    },
    { name: 'weather', description: 'The weather in a city', schema: z.object({ city: z.string() }) },
  );
  const withTools = claude.bindTools([weather]);
  const question = new HumanMessage(`use the weather for ${word}`);
  const calling = await withTools.invoke([question]);
  const results = await Promise.all(calling.tool_calls.map((call) => weather.invoke(call)));
  if (!results.every((result) => result instanceof ToolMessage)) throw new Error('no tool message');
  const asked = await withTools.invoke([question, calling, ...results]);
  const failed = await claude.invoke(`fail for ${word}`);
  const refused = await modelOf('gpt')
    .invoke('hi')
    .then(
      () => 'taken',
      (error) => error.message,
    );
  console.log(
    JSON.stringify({
      first: first.text,
      second: second.text,
      chunks: chunks.filter((chunk) => chunk !== ''),
      ran,
      asked: asked.text,
      failed: failed.text,
      refused,
    }),
  );
}
