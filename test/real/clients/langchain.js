// LangChain on /v1/chat/completions.
import { talk } from './langchain-talk.js';

await talk({}, 'langchain');
