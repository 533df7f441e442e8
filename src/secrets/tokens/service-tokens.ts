// Mail, chats, payments, shops, files and other services.
import type { Shape } from '../shapes.ts';
import { made, real } from './real.ts';

/** Its first part is the number of the bot, in base64. */
function isDiscord(value: string): boolean {
  const [id = ''] = value.split('.', 1);
  return /^\d{16,20}$/.test(Buffer.from(id, 'base64url').toString('latin1')) && real(value);
}

export const serviceTokens: readonly Shape[] = [
  { kind: 'SendGrid key', pattern: /(?<!\w)SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g, holds: real },
  {
    kind: 'Mailgun key',
    pattern: /(?<![\w-])(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![\w-])/g,
    holds: made,
  },
  { kind: 'Mailchimp key', pattern: /(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])/g, holds: real },
  { kind: 'Brevo key', pattern: /(?<!\w)xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}(?!\w)/g, holds: real },
  { kind: 'Twilio key', pattern: /(?<!\w)SK[0-9a-f]{32}(?!\w)/gi, holds: made },
  { kind: 'Telegram bot token', pattern: /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g, holds: real },
  {
    kind: 'Discord token',
    pattern: /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/g,
    holds: isDiscord,
  },
  {
    kind: 'Discord webhook',
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{16,20}\/([\w-]{60,80})/g,
    holds: real,
  },
  {
    kind: 'Slack token',
    pattern:
      /(?<![\w-])(?:xox[abeoprs]-\d{1,15}-[\w-]{15,200}|xapp-\d-[A-Z0-9]{8,20}-\d{8,20}-[a-z0-9]{20,100})/gi,
    holds: real,
  },
  {
    kind: 'Slack token',
    pattern: /(?<![\w-])xox(?:e\.xox[bp]-\d-[A-Z0-9]{100,200}|[ar]-(?:\d-)?[A-Za-z0-9]{12,48})(?![\w-])/gi,
    holds: made,
  },
  {
    kind: 'Slack token',
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([\w/+]{40,80})/g,
    holds: real,
  },
  {
    kind: 'Teams webhook',
    pattern:
      /\.webhook\.office\.com\/webhookb2\/([\w@-]{30,100}\/IncomingWebhook\/[0-9a-f]{32}\/[\w-]{30,60})/g,
    holds: real,
  },
  { kind: 'Atlassian token', pattern: /(?<!\w)AT(?:ATT3|CTT3|BB|STT3)[\w=-]{24,300}/g, holds: made },
  {
    kind: 'Notion token',
    pattern: /(?<!\w)(?:ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43})(?!\w)/g,
    holds: made,
  },
  { kind: 'Airtable token', pattern: /(?<!\w)pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)/g, holds: real },
  { kind: 'Linear token', pattern: /(?<!\w)lin_(?:api|oauth)_[A-Za-z0-9]{40,64}(?!\w)/g, holds: real },
  {
    kind: 'HubSpot token',
    pattern:
      /(?<![\w-])pat-(?:na|eu|ap)\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?!\w)/gi,
    holds: real,
  },
  { kind: 'Typeform token', pattern: /(?<!\w)tfp_[\w=.-]{40,80}/g, holds: made },
  { kind: 'Contentful token', pattern: /(?<![\w-])CFPAT-[\w-]{43}(?![\w-])/g, holds: real },
  { kind: 'Frame.io token', pattern: /(?<![\w-])fio-u-[\w=-]{64}(?![\w=-])/g, holds: real },
  { kind: 'Dropbox token', pattern: /(?<![\w.])sl\.(?:[bu]\.)?[\w=-]{100,1500}/g, holds: made },
  {
    kind: 'Dropbox token',
    pattern: /(?<!\w)[a-z0-9]{11}A{10}[\w=-]{43}(?![\w=-])/gi,
    holds: (value) => /\d/.test(value),
  },
  { kind: 'Adobe secret', pattern: /(?<![\w-])p8e-[a-z0-9]{32}(?!\w)/gi, holds: made },
  { kind: '1Password key', pattern: /(?<![\w-])A3(?:-[A-Z0-9]{5,11}){5,6}(?![\w-])/g, holds: made },
  { kind: '1Password token', pattern: /(?<!\w)ops_eyJ[A-Za-z0-9+/]{200,4000}={0,3}/g, holds: real },
  {
    kind: 'Authress key',
    pattern:
      /(?<!\w)(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[\w+/=-]{30,120}/g,
    holds: real,
  },
  { kind: 'Okta token', pattern: /\bSSWS[ ](00[\w-]{40})(?![\w-])/g, holds: real },
  { kind: 'Adafruit key', pattern: /(?<!\w)aio_[A-Za-z]{4}\d{2}[A-Za-z0-9]{22}(?!\w)/g, holds: real },
  { kind: 'SettleMint token', pattern: /(?<!\w)sm_[aps]at_[A-Za-z0-9]{16}(?!\w)/g, holds: real },
  { kind: '42 secret', pattern: /(?<![\w-])s-s4t2(?:ud|af)-[0-9a-f]{64}(?!\w)/gi, holds: real },
  {
    kind: 'Facebook token',
    pattern: /(?<!\w)(?:EAA[MC][A-Za-z0-9]{100,500}|\d{15,16}(?:\||%7C)[\w-]{27,40})(?![\w-])/g,
    holds: real,
  },
  {
    kind: 'Twitter token',
    pattern: /(?<!\w)A{20,24}[A-Za-z0-9%]{60,110}(?!\w)/g,
    holds: (value) => /\d.*\d.*\d/.test(value),
  },
];
