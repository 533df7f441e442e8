// Models and what runs them.
import type { Shape } from '../shapes.ts';
import { made, real } from './real.ts';

export const modelTokens: readonly Shape[] = [
  {
    kind: 'OpenAI key',
    pattern: /(?<![\w-])sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,300}|[A-Za-z0-9]{32,64}(?![\w-]))/g,
    holds: made,
  },
  { kind: 'OpenRouter key', pattern: /(?<![\w-])sk-or-v1-[0-9a-f]{64}(?!\w)/g, holds: real },
  { kind: 'Anthropic key', pattern: /(?<![\w-])sk-ant-[a-z]{2,10}\d\d-[\w-]{20,200}/g, holds: made },
  { kind: 'Hugging Face token', pattern: /(?<!\w)(?:hf|api_org)_[A-Za-z0-9]{30,40}(?!\w)/g, holds: real },
  { kind: 'Groq key', pattern: /(?<!\w)gsk_[A-Za-z0-9]{40,60}(?!\w)/g, holds: real },
  { kind: 'xAI key', pattern: /(?<![\w-])xai-[A-Za-z0-9]{60,100}(?!\w)/g, holds: real },
  { kind: 'Perplexity key', pattern: /(?<![\w-])pplx-[A-Za-z0-9]{40,60}(?!\w)/g, holds: real },
  { kind: 'Replicate token', pattern: /(?<!\w)r8_[A-Za-z0-9]{37}(?!\w)/g, holds: real },
  { kind: 'LangSmith key', pattern: /(?<!\w)lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}(?!\w)/g, holds: real },
  { kind: 'ElevenLabs key', pattern: /(?<!\w)sk_[0-9a-f]{48}(?!\w)/g, holds: real },
  { kind: 'Tavily key', pattern: /(?<!\w)tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40}(?!\w)/g, holds: made },
  {
    kind: 'Grafana token',
    pattern:
      /(?<!\w)(?:eyJrIjoi[A-Za-z0-9]{60,400}={0,3}|glc_[A-Za-z0-9+/]{32,400}={0,3}|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8})(?!\w)/gi,
    holds: made,
  },
];
