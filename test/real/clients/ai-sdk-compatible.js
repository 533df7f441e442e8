// The AI SDK on /v1/chat/completions.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { talk } from './ai-sdk-talk.js';

const synthesis = createOpenAICompatible({
  name: 'synthesis',
  baseURL: process.env.BASE_URL,
  apiKey: process.env.API_KEY,
});
await talk((name) => synthesis(name), 'aicompatible');
