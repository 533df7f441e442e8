// Clouds, hosting, networks and databases.
import type { Shape } from '../shapes.ts';
import { made, real } from './real.ts';

export const cloudTokens: readonly Shape[] = [
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}\b/g, holds: real },
  { kind: 'AWS Bedrock key', pattern: /(?<!\w)ABSK[A-Za-z0-9+/]{100,280}={0,2}/g, holds: real },
  { kind: 'AWS Bedrock key', pattern: /(?<![\w-])bedrock-api-key-[A-Za-z0-9+/=_-]{40,4000}/g, holds: real },
  { kind: 'Google API key', pattern: /\bAIza[\w-]{35}(?![\w-])/g, holds: real },
  { kind: 'Google OAuth secret', pattern: /\bGOCSPX-[\w-]{28}(?![\w-])/g, holds: real },
  { kind: 'Google OAuth token', pattern: /\bya29\.[\w-]{20,500}/g, holds: real },
  { kind: 'Azure client secret', pattern: /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g, holds: real },
  { kind: 'Azure storage key', pattern: /\bAccountKey=([A-Za-z0-9+/]{60,100}={0,2})/g, holds: real },
  { kind: 'Alibaba key', pattern: /(?<!\w)LTAI[A-Za-z0-9]{12,24}(?!\w)/g, holds: made },
  { kind: 'Yandex key', pattern: /(?<!\w)(?:AQVN[\w-]{35,38}|YC[\w-]{38})(?![\w-])/g, holds: made },
  { kind: 'Yandex token', pattern: /(?<!\w)t1\.[\w-]{1,300}={0,2}\.[\w-]{86}(?![\w-])/g, holds: real },
  { kind: 'DigitalOcean token', pattern: /(?<!\w)do[opr]_v1_[0-9a-f]{64}(?!\w)/g, holds: real },
  { kind: 'Heroku key', pattern: /(?<![\w-])HRKU-AA[\w-]{58}(?![\w-])/g, holds: real },
  {
    kind: 'Fly.io token',
    pattern: /(?<!\w)(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/=]{100,4000})/g,
    holds: real,
  },
  { kind: 'Netlify token', pattern: /(?<!\w)nf[pcout]_[A-Za-z0-9]{36,40}(?!\w)/g, holds: real },
  { kind: 'Render key', pattern: /(?<!\w)rnd_[A-Za-z0-9]{28,40}(?!\w)/g, holds: made },
  { kind: 'Scalingo token', pattern: /(?<![\w-])tk-us-[\w-]{48}(?![\w-])/g, holds: made },
  { kind: 'Cloudflare key', pattern: /(?<![\w.])v1\.0-[0-9a-f]{24}-[0-9a-f]{146}(?!\w)/g, holds: real },
  { kind: 'Fastly key', pattern: /Fastly-Key:[ ]?([\w-]{32})(?![\w-])/gi, holds: made },
  { kind: 'Databricks token', pattern: /(?<!\w)dapi[0-9a-f]{32}(?:-\d)?(?!\w)/g, holds: real },
  { kind: 'ClickHouse key', pattern: /(?<!\w)4b1d[A-Za-z0-9]{38}(?!\w)/g, holds: made },
  { kind: 'PlanetScale key', pattern: /(?<!\w)pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}(?!\w)/g, holds: real },
  {
    kind: 'Supabase key',
    pattern: /(?<!\w)(?:sbp_(?:v0_)?[0-9a-f]{40}|sb_secret_[\w-]{20,60})(?![\w-])/g,
    holds: made,
  },
  { kind: 'OpenShift token', pattern: /(?<!\w)sha256~[\w-]{43}(?![\w-])/g, holds: real },
  {
    kind: 'Vault token',
    pattern: /(?<![\w.])(?:hv[sbr]\.[\w-]{90,300}|s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24})(?![\w.-])/g,
    holds: made,
  },
  {
    kind: 'Defined Networking key',
    pattern: /(?<!\w)dnkey-[A-Z0-9=_-]{26}-[A-Z0-9=_-]{52}(?![\w-])/gi,
    holds: real,
  },
  {
    kind: 'LaunchDarkly key',
    pattern: /(?<![\w-])(?:api|sdk|mob)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?!\w)/g,
    holds: real,
  },
  { kind: 'MaxMind key', pattern: /(?<!\w)[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)/g, holds: real },
  {
    kind: 'Mapbox token',
    pattern: /(?<![\w.])[ps]k\.(?:eyJ[\w-]{40,200}|[A-Za-z0-9]{60})\.[\w-]{22}(?![\w-])/gi,
    holds: real,
  },
];
