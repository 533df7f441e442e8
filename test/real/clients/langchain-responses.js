// LangChain on /v1/responses; it sends the whole history each time.
import { talk } from './langchain-talk.js';

await talk({ useResponsesApi: true }, 'langresponses');
