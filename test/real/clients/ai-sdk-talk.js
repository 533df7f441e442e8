import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

/** What the test wants to see of a client, through the AI SDK. @param word what it asks Claude to remember */
export async function talk(model, word) {
  const messages = [{ role: 'user', content: `the word is ${word}` }];
  const first = await generateText({ model: model('claude'), messages, maxRetries: 0 });
  messages.push(...first.response.messages, { role: 'user', content: 'which word?' });
  const second = await generateText({ model: model('claude'), messages, maxRetries: 0 });

  const chunks = [];
  const stream = streamText({ model: model('claude'), prompt: `count for ${word}`, maxRetries: 0 });
  for await (const chunk of stream.textStream) chunks.push(chunk);

  const ran = [];
  const weather = tool({
    description: 'The weather in a city',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      ran.push(city);
      return `sunny in ${city}`;
    },
  });
  const asked = await generateText({
    model: model('claude'),
    prompt: `use the weather for ${word}`,
    tools: { weather },
    stopWhen: stepCountIs(4),
    maxRetries: 0,
  });
  const failed = await generateText({ model: model('claude'), prompt: `fail for ${word}`, maxRetries: 0 });
  const refused = await generateText({ model: model('gpt'), prompt: 'hi', maxRetries: 0 }).then(
    () => 'taken',
    (error) => error.message,
  );
  console.log(
    JSON.stringify({
      first: first.text,
      second: second.text,
      chunks,
      ran,
      asked: asked.text,
      failed: failed.text,
      refused,
    }),
  );
}
