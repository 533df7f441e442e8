// The AI SDK on /v1/responses, which is what `openai('…')` speaks.
import { createOpenAI } from '@ai-sdk/openai';
import { talk } from './ai-sdk-talk.js';

const openai = createOpenAI({ baseURL: process.env.BASE_URL, apiKey: process.env.API_KEY });
await talk((name) => openai(name), 'aisdk');
