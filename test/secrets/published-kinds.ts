// What others publish as kinds of secrets, by the names of their rules, and what is made of each here: a sample that has to
// be found, or why there is none. The samples are put together when a test runs, so that no literal looks like a secret.
import { createHash } from 'node:crypto';
import { randomFill } from './noise.ts';
import { pem, samples, word } from './samples.ts';

export interface PublishedKind {
  readonly rule: string;
  /** A text, and what of it must be hidden. */
  readonly sample?: { readonly text: string; readonly secret: string };
  readonly why?: string;
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = upper.toLowerCase();
const digits = '0123456789';
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const of = (length: number, alphabet: string): string => {
  const random = randomFill(`${alphabet} ${length}`);
  return Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
};
const hex = (length: number): string => of(length, `${digits}abcdef`);
const mixed = (length: number): string => of(length, `${digits}${lower}`);
const capital = (length: number): string => of(length, `${digits}${upper}`);
const letters = (length: number): string => of(length, upper + lower);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const uuid = (): string => [8, 4, 4, 4, 12].map((length) => hex(length)).join('-');

const found = (rule: string, text: string, secret = text): PublishedKind => ({
  rule,
  sample: { text, secret },
});
/** Text by chance without a shape of its own: only what it is called tells it. */
const named = (rule: string, name: string, secret: string): PublishedKind =>
  found(rule, `${name}=${secret}`, secret);
const none = (rule: string, why: string): PublishedKind => ({ rule, why });
/** One of the samples of the other tests. */
const known = (rule: string, kind: string, at = 0): PublishedKind =>
  found(rule, samples.filter(([each]) => each === kind)[at]?.[1] ?? '');

const id = 'An identifier that is no secret: it opens nothing without the secret beside it.';
const file = 'The kind of a file, not of a text.';
const published = 'Made to be published.';

/** A key with a check sum, as wallets write it. */
export function base58Check(bytes: Buffer): string {
  const sha = (of: Buffer) => createHash('sha256').update(of).digest();
  const all = Buffer.concat([bytes, sha(sha(bytes)).subarray(0, 4)]);
  let value = BigInt(`0x${all.toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = base58.charAt(Number(value % 58n)) + text;
  return text;
}
export const chance = (length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update('chance').digest();

const jwt = samples.find(([kind]) => kind === 'JSON web token')?.[1] ?? '';
const slack = (head: string, ...parts: string[]): string => [`xo${head}`, ...parts].join('-');
const number = (length: number): string => `1${of(length - 1, digits)}`;

export const gitleaksVersion = 'v8.30.0';
export const gitleaks: readonly PublishedKind[] = [
  found(
    '1password-secret-key',
    ['A3', capital(6), capital(11), capital(5), `${capital(4)}7`, capital(5)].join('-'),
  ),
  found(
    '1password-service-account-token',
    `ops${'_'}${base64(JSON.stringify({ a: word(240) })).replaceAll('=', '')}`,
  ),
  named('adafruit-api-key', 'ADAFRUIT_IO_KEY', `a${'io_'}${letters(4)}12${word(22)}`),
  none('adobe-client-id', id),
  found('adobe-client-secret', `p8${'e-'}${mixed(32)}`),
  known('age-secret-key', 'age key'),
  named('airtable-api-key', 'AIRTABLE_API_KEY', mixed(17)),
  found('airtable-personnal-access-token', `pa${'t'}${word(14)}.${hex(64)}`),
  named('algolia-api-key', 'ALGOLIA_API_KEY', hex(32)),
  found('alibaba-access-key-id', `LT${'AI'}${word(20)}`),
  named('alibaba-secret-key', 'ALIBABA_SECRET_KEY', mixed(30)),
  found('anthropic-admin-api-key', `sk-${'ant-'}admin01-${word(93)}AA`),
  known('anthropic-api-key', 'Anthropic key'),
  found('artifactory-api-key', `AK${'Cp'}${word(69)}`),
  found('artifactory-reference-token', `cm${'Vmd'}${word(59)}`),
  none('asana-client-id', id),
  named('asana-client-secret', 'ASANA_CLIENT_SECRET', hex(32)),
  found('atlassian-api-token', `AT${'ATT3'}${word(186)}`),
  found(
    'authress-service-client-access-key',
    `sc_${mixed(12)}.${mixed(5)}.${'acc'}-${mixed(20)}.${word(50)}`,
  ),
  known('aws-access-token', 'AWS access key'),
  found('aws-amazon-bedrock-api-key-long-lived', `AB${'SK'}${word(120)}`),
  found(
    'aws-amazon-bedrock-api-key-short-lived',
    `bedrock-${'api-key'}-${base64(`bedrock.amazonaws.com/?Action=${word(60)}`)}`,
  ),
  found('azure-ad-client-secret', `${word(3)}8${'Q~'}${word(33)}`),
  found('beamer-api-token', `b${'_'}${mixed(44)}`),
  none('bitbucket-client-id', id),
  named('bitbucket-client-secret', 'BITBUCKET_CLIENT_SECRET', word(64)),
  named('bittrex-access-key', 'BITTREX_ACCESS_KEY', hex(32)),
  named('bittrex-secret-key', 'BITTREX_SECRET_KEY', hex(32)),
  named('cisco-meraki-api-key', 'MERAKI_API_KEY', hex(40)),
  found('clickhouse-cloud-api-secret-key', `4b${'1d'}${word(38)}`),
  found('clojars-api-token', `CLO${'JARS_'}${hex(60)}`),
  named('cloudflare-api-key', 'CLOUDFLARE_API_KEY', word(40)),
  named('cloudflare-global-api-key', 'CLOUDFLARE_API_KEY', hex(37)),
  found('cloudflare-origin-ca-key', `v1${'.0-'}${hex(24)}-${hex(146)}`),
  named('codecov-access-token', 'CODECOV_TOKEN', uuid()),
  named('cohere-api-token', 'CO_API_KEY', word(40)),
  named('coinbase-access-token', 'COINBASE_ACCESS_TOKEN', word(64)),
  named('confluent-access-token', 'CONFLUENT_ACCESS_TOKEN', capital(16)),
  named('confluent-secret-key', 'CONFLUENT_SECRET_KEY', word(64)),
  named('contentful-delivery-api-token', 'CONTENTFUL_DELIVERY_TOKEN', word(43)),
  found('curl-auth-header', `curl -H "Authorization: Bearer ${word(40)}" https://example.org`, word(40)),
  found('curl-auth-user', `curl -u ada:${word(12)}! https://example.org`, `${word(12)}!`),
  found('databricks-api-token', `da${'pi'}${hex(32)}`),
  named('datadog-access-token', 'DATADOG_APP_KEY', hex(40)),
  found('defined-networking-api-token', `dn${'key-'}${capital(26)}-${capital(52)}`),
  found('digitalocean-access-token', `do${'o_v1_'}${hex(64)}`),
  known('digitalocean-pat', 'DigitalOcean token'),
  found('digitalocean-refresh-token', `do${'r_v1_'}${hex(64)}`),
  named('discord-api-token', 'DISCORD_TOKEN', hex(64)),
  none('discord-client-id', id),
  named('discord-client-secret', 'DISCORD_CLIENT_SECRET', word(32)),
  found('doppler-api-token', `dp.${'pt.'}${word(43)}`),
  named('droneci-access-token', 'DRONE_TOKEN', mixed(32)),
  named('dropbox-api-token', 'DROPBOX_APP_SECRET', mixed(16)),
  found('dropbox-long-lived-api-token', `${mixed(11)}${'A'.repeat(10)}${word(43)}`),
  found('dropbox-short-lived-api-token', `s${'l.'}${word(135)}`),
  found('duffel-api-token', `duffel${'_test_'}${word(43)}`),
  found('dynatrace-api-token', `dt0${'c01.'}${capital(24)}.${capital(64)}`),
  found('easypost-api-token', `EZ${'AK'}${word(54)}`),
  found('easypost-test-api-token', `EZ${'TK'}${word(54)}`),
  named('etsy-access-token', 'ETSY_ACCESS_TOKEN', mixed(24)),
  found('facebook-access-token', `${number(15)}|${word(27)}`),
  found('facebook-page-access-token', `EAA${'M'}${word(120)}`),
  named('facebook-secret', 'FACEBOOK_SECRET', hex(32)),
  named('fastly-api-token', 'FASTLY_API_TOKEN', word(32)),
  named('finicity-api-token', 'FINICITY_API_TOKEN', hex(32)),
  named('finicity-client-secret', 'FINICITY_CLIENT_SECRET', mixed(20)),
  named('finnhub-access-token', 'FINNHUB_TOKEN', mixed(20)),
  named('flickr-access-token', 'FLICKR_ACCESS_TOKEN', hex(32)),
  found('flutterwave-encryption-key', `FLW${'SECK_TEST'}-${hex(12)}`),
  found('flutterwave-public-key', `FLW${'PUBK_TEST'}-${hex(32)}-X`),
  found('flutterwave-secret-key', `FLW${'SECK_TEST'}-${hex(32)}-X`),
  found('flyio-access-token', `fo${'1_'}${word(43)}`),
  found('frameio-api-token', `fi${'o-u-'}${word(64)}`),
  found('freemius-secret-key', `'secret_key' => 'sk${'_'}${word(29)}',`, `sk${'_'}${word(29)}`),
  named('freshbooks-access-token', 'FRESHBOOKS_ACCESS_TOKEN', hex(64)),
  known('gcp-api-key', 'Google API key'),
  named('generic-api-key', 'api_key', word(32)),
  found('github-app-token', `gh${'u_'}${word(36)}`),
  known('github-fine-grained-pat', 'GitHub token', 1),
  found('github-oauth', `gh${'o_'}${word(36)}`),
  known('github-pat', 'GitHub token'),
  found('github-refresh-token', `gh${'r_'}${word(36)}`),
  found('gitlab-cicd-job-token', `gl${'cbt-'}1a_${word(20)}`),
  found('gitlab-deploy-token', `gl${'dt-'}${word(20)}`),
  found('gitlab-feature-flag-client-token', `gl${'ffct-'}${word(20)}`),
  found('gitlab-feed-token', `gl${'ft-'}${word(20)}`),
  found('gitlab-incoming-mail-token', `gl${'imt-'}${word(25)}`),
  found('gitlab-kubernetes-agent-token', `gl${'agent-'}${word(50)}`),
  found('gitlab-oauth-app-secret', `gl${'oas-'}${word(64)}`),
  known('gitlab-pat', 'GitLab token'),
  found('gitlab-pat-routable', `gl${'pat-'}${word(27)}.01.${mixed(9)}`),
  found('gitlab-ptt', `gl${'ptt-'}${hex(40)}`),
  found('gitlab-rrt', `GR${'1348941'}${word(20)}`),
  found('gitlab-runner-authentication-token', `gl${'rt-'}${word(20)}`),
  found('gitlab-runner-authentication-token-routable', `gl${'rt-'}t1_${word(27)}.01.${mixed(9)}`),
  found('gitlab-scim-token', `gl${'soat-'}${word(20)}`),
  found('gitlab-session-cookie', `Cookie: _gitlab_session=${hex(32)}`, hex(32)),
  named('gitter-access-token', 'GITTER_TOKEN', word(40)),
  found('gocardless-api-token', `li${'ve_'}${word(40)}`),
  found('grafana-api-key', `ey${'JrIjoi'}${word(80)}`),
  found('grafana-cloud-api-token', `gl${'c_'}${word(60)}`),
  found('grafana-service-account-token', `gl${'sa_'}${word(32)}_${hex(8)}`),
  found('harness-api-key', `pa${'t.'}${word(22)}.${word(24)}.${word(20)}`),
  found('hashicorp-tf-api-token', `${word(14)}.${'atlasv1'}.${word(64)}`),
  found('hashicorp-tf-password', `administrator_login_password = "${word(14)}"`, word(14)),
  named('heroku-api-key', 'HEROKU_API_KEY', uuid()),
  found('heroku-api-key-v2', `HR${'KU-AA'}${word(58)}`),
  named('hubspot-api-key', 'HUBSPOT_API_KEY', uuid().toUpperCase()),
  known('huggingface-access-token', 'Hugging Face token'),
  found('huggingface-organization-api-token', `api${'_org_'}${letters(34)}`),
  found('infracost-api-token', `ic${'o-'}${word(32)}`),
  named('intercom-api-key', 'INTERCOM_API_KEY', word(60)),
  found('intra42-client-secret', `s-${'s4t2ud'}-${hex(64)}`),
  named('jfrog-api-key', 'JFROG_API_KEY', mixed(73)),
  named('jfrog-identity-token', 'JFROG_IDENTITY_TOKEN', mixed(64)),
  found('jwt', jwt),
  found('jwt-base64', base64(jwt).replaceAll('=', '')),
  named('kraken-access-token', 'KRAKEN_ACCESS_TOKEN', word(86)),
  found('kubernetes-secret-yaml', `kind: Secret\ndata:\n  password: ${base64(word(20))}\n`, base64(word(20))),
  named('kucoin-access-token', 'KUCOIN_ACCESS_TOKEN', hex(24)),
  named('kucoin-secret-key', 'KUCOIN_SECRET_KEY', uuid()),
  found('launchdarkly-access-token', `ap${'i-'}${uuid()}`),
  found('linear-api-key', `lin${'_api_'}${word(40)}`),
  named('linear-client-secret', 'LINEAR_CLIENT_SECRET', hex(32)),
  none('linkedin-client-id', id),
  named('linkedin-client-secret', 'LINKEDIN_CLIENT_SECRET', word(16)),
  found('lob-api-key', `li${'ve_'}${hex(35)}`),
  found('lob-pub-api-key', `te${'st_pub_'}${hex(31)}`),
  none('looker-client-id', id),
  named('looker-client-secret', 'LOOKER_CLIENT_SECRET', mixed(24)),
  found('mailchimp-api-key', `${hex(32)}-${'us'}12`),
  found('mailgun-private-api-token', `ke${'y-'}${hex(32)}`),
  none('mailgun-pub-key', published),
  found('mailgun-signing-key', `${hex(32)}-${hex(8)}-${hex(8)}`),
  found('mapbox-api-token', `p${'k.'}${mixed(60)}.${mixed(22)}`),
  named('mattermost-access-token', 'MATTERMOST_TOKEN', mixed(26)),
  found('maxmind-license-key', `${word(6)}_${word(29)}_${'mmk'}`),
  named('messagebird-api-token', 'MESSAGEBIRD_API_TOKEN', word(25)),
  none('messagebird-client-id', id),
  found(
    'microsoft-teams-webhook',
    `https://corp.webhook.office.com/webhookb2/${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`,
    `${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`,
  ),
  named('netlify-access-token', 'NETLIFY_AUTH_TOKEN', word(43)),
  found('new-relic-browser-api-token', `NR${'JS-'}${hex(19)}`),
  found('new-relic-insert-key', `NR${'II-'}${word(32)}`),
  named('new-relic-user-api-id', 'NEW_RELIC_API_KEY', mixed(64)),
  found('new-relic-user-api-key', `NR${'AK-'}${capital(27)}`),
  found('notion-api-token', `nt${'n_'}${number(11)}${word(35)}`),
  known('npm-access-token', 'npm token'),
  found('nuget-config-password', `<add key="ClearTextPassword" value="${word(12)}" />`, word(12)),
  named('nytimes-access-token', 'NYTIMES_API_KEY', word(32)),
  found('octopus-deploy-api-key', `AP${'I-'}${capital(26)}`),
  found('okta-access-token', `Authorization: SSWS 00${word(40)}`, `00${word(40)}`),
  found('openai-api-key', `sk-${'proj-'}${word(74)}T3Blbk${'FJ'}${word(74)}`),
  found('openshift-user-token', `sha${'256~'}${word(43)}`),
  found('perplexity-api-key', `pp${'lx-'}${word(48)}`),
  none('pkcs12-file', file),
  found('plaid-api-token', `acc${'ess-'}production-${uuid()}`),
  none('plaid-client-id', id),
  named('plaid-secret-key', 'PLAID_SECRET', hex(30)),
  found('planetscale-api-token', `psc${'ale_tkn_'}${word(43)}`),
  found('planetscale-oauth-token', `psc${'ale_oauth_'}${word(43)}`),
  found('planetscale-password', `psc${'ale_pw_'}${word(43)}`),
  found('postman-api-token', `PM${'AK-'}${hex(24)}-${hex(34)}`),
  found('prefect-api-token', `pn${'u_'}${word(36)}`),
  found('private-key', pem),
  named('privateai-api-token', 'PRIVATE_AI_API_KEY', mixed(32)),
  found('pulumi-api-token', `pu${'l-'}${hex(40)}`),
  known('pypi-upload-token', 'PyPI token'),
  named('rapidapi-access-token', 'RAPIDAPI_KEY_TOKEN', word(50)),
  found('readme-api-token', `rd${'me_'}${mixed(70)}`),
  found('rubygems-api-token', `ruby${'gems_'}${hex(48)}`),
  found('scalingo-api-token', `tk-${'us-'}${word(48)}`),
  none('sendbird-access-id', id),
  named('sendbird-access-token', 'SENDBIRD_ACCESS_TOKEN', hex(40)),
  known('sendgrid-api-token', 'SendGrid key'),
  found('sendinblue-api-token', `xkey${'sib-'}${hex(64)}-${word(16)}`),
  named('sentry-access-token', 'SENTRY_ACCESS_TOKEN', hex(64)),
  found(
    'sentry-org-token',
    `sntr${'ys_'}${base64(JSON.stringify({ iat: 17e8, url: word(60) }))}_${word(43)}`,
  ),
  found('sentry-user-token', `sntr${'yu_'}${hex(64)}`),
  found('settlemint-application-access-token', `sm${'_aat_'}${word(16)}`),
  found('settlemint-personal-access-token', `sm${'_pat_'}${word(16)}`),
  found('settlemint-service-access-token', `sm${'_sat_'}${word(16)}`),
  found('shippo-api-token', `ship${'po_live_'}${hex(40)}`),
  found('shopify-access-token', `shp${'at_'}${hex(32)}`),
  found('shopify-custom-access-token', `shp${'ca_'}${hex(32)}`),
  found('shopify-private-app-access-token', `shp${'pa_'}${hex(32)}`),
  found('shopify-shared-secret', `shp${'ss_'}${hex(32)}`),
  found('sidekiq-secret', `BUNDLE_ENTERPRISE__CONTRIBSYS__COM=${hex(8)}:${hex(8)}`, `${hex(8)}:${hex(8)}`),
  found('sidekiq-sensitive-url', `https://${hex(8)}:${hex(8)}@gems.contribsys.com/`, `${hex(8)}:${hex(8)}`),
  found('slack-app-token', `xa${'pp'}-1-A${capital(10)}-${number(13)}-${mixed(64)}`),
  known('slack-bot-token', 'Slack token'),
  found('slack-config-access-token', `xox${'e.xo'}xp-1-${capital(163)}`),
  found('slack-config-refresh-token', slack('xe', '1', capital(146))),
  found('slack-legacy-bot-token', slack('xb', number(12), word(24))),
  found('slack-legacy-token', slack('xs', number(10), number(10), number(10), hex(32))),
  found('slack-legacy-workspace-token', slack('xa', '2', word(40))),
  found('slack-user-token', slack('xp', number(12), number(12), number(12), hex(32))),
  known('slack-webhook-url', 'Slack token', 1),
  named('snyk-api-token', 'SNYK_TOKEN', uuid()),
  found('sonar-api-token', `sq${'u_'}${hex(40)}`),
  found('sourcegraph-access-token', `sg${'p_'}${hex(16)}_${hex(40)}`),
  found('square-access-token', `sq0${'atp-'}${word(22)}`),
  named('squarespace-access-token', 'SQUARESPACE_TOKEN', uuid()),
  known('stripe-access-token', 'Stripe key'),
  none('sumologic-access-id', id),
  named('sumologic-access-token', 'SUMO_ACCESS_KEY', word(64)),
  known('telegram-bot-api-token', 'Telegram bot token'),
  named('travisci-access-token', 'TRAVIS_TOKEN', word(22)),
  found('twilio-api-key', `S${'K'}${hex(32)}`),
  named('twitch-api-token', 'TWITCH_ACCESS_TOKEN', mixed(30)),
  named('twitter-access-secret', 'TWITTER_ACCESS_SECRET', word(45)),
  named('twitter-access-token', 'TWITTER_ACCESS_TOKEN', `${number(18)}-${word(32)}`),
  named('twitter-api-key', 'TWITTER_API_KEY', word(25)),
  named('twitter-api-secret', 'TWITTER_API_SECRET', word(50)),
  found('twitter-bearer-token', `${'A'.repeat(22)}${word(90)}`),
  found('typeform-api-token', `tf${'p_'}${word(59)}`),
  found('vault-batch-token', `hv${'b.'}${word(150)}`),
  found('vault-service-token', `hv${'s.'}${word(95)}`),
  found('yandex-access-token', `t${'1.'}${word(40)}.${word(86)}`),
  found('yandex-api-key', `AQ${'VN'}${word(36)}`),
  found('yandex-aws-access-token', `Y${'C'}${word(38)}`),
  named('zendesk-secret-key', 'ZENDESK_SECRET_KEY', word(40)),
];

export const secretlintVersion = '13.0.7';
/** The last part of each rule's name. */
export const secretlint: readonly PublishedKind[] = [
  found('1password', `ops${'_'}${base64(JSON.stringify({ a: word(240) })).replaceAll('=', '')}`),
  known('anthropic', 'Anthropic key'),
  found('aws', `aws_secret_access_key = ${word(40)}`, word(40)),
  found('azure', `AZURE_CLIENT_SECRET=${word(3)}8${'Q~'}${word(34)}`, `${word(3)}8${'Q~'}${word(34)}`),
  found('basicauth', `https://ada:${word(12)}@example.org`, word(12)),
  named('cloudflare', 'CLOUDFLARE_API_TOKEN', word(40)),
  found('database-connection-string', `postgres://ada:${word(12)}@db.internal:5432/x`, word(12)),
  found('databricks', `da${'pi'}${hex(32)}`),
  found('docker', `dc${'kr_pat_'}${word(27)}`),
  found('figma', `fi${'gd_'}${word(40)}`),
  none('filter-comments', 'Not a kind: it lets a text switch rules off, which no text may do here.'),
  none('gcp', `${file} Of a service account in a text, the private key is found.`),
  known('github', 'GitHub token'),
  known('gitlab', 'GitLab token'),
  found('grafana', `gl${'sa_'}${word(32)}_${hex(8)}`),
  found('groq', `gs${'k_'}${word(52)}`),
  found('hashicorp-vault', `hv${'s.'}${word(95)}`),
  known('huggingface', 'Hugging Face token'),
  found('linear', `lin${'_api_'}${word(40)}`),
  none('no-dotenv', file),
  none('no-homedir', 'A path with the name of a user, which is no secret.'),
  none('no-k8s-kind-secret', `${file} The values in it are found.`),
  found('notion', `nt${'n_'}${number(11)}${word(35)}`),
  known('npm', 'npm token'),
  found('openai', `sk-${'proj-'}${word(74)}T3Blbk${'FJ'}${word(74)}`),
  none('pattern', 'Not a kind: it has the patterns that its user writes.'),
  found('privatekey', pem),
  named('secp256k1-privatekey', 'private_key', hex(64)),
  known('sendgrid', 'SendGrid key'),
  found('shopify', `shp${'at_'}${hex(32)}`),
  known('slack', 'Slack token'),
  known('stripe', 'Stripe key'),
  found('tailscale', `tsk${'ey-auth-'}${word(17)}-${word(32)}`),
  found('vercel', `vc${'p_'}${word(56)}`),
];

const puttyLines = Array.from({ length: 4 }, (_, at) => of(64, `${upper}${lower}${digits}+/`.slice(at)));

/** What neither of them has, or not so. */
export const others: readonly PublishedKind[] = [
  found(
    'PuTTY private key',
    [
      `PuTTY-User-Key-File-3: ssh-ed25519`,
      'Encryption: none',
      'Comment: bob@nas',
      'Public-Lines: 2',
      ...puttyLines.slice(0, 2),
      'Private-Lines: 2',
      ...puttyLines.slice(2),
      `Private-MAC: ${hex(64)}`,
    ].join('\n'),
  ),
  found('Discord bot', samples.find(([kind]) => kind === 'Discord token')?.[1] ?? ''),
  found('Stripe webhook', `wh${'sec_'}${word(32)}`),
  found('Supabase access token', `sb${'p_'}${hex(40)}`),
  found('Supabase secret key', `sb${'_secret_'}${word(31)}`),
  found('Bitcoin key (WIF)', base58Check(Buffer.concat([Buffer.of(0x80), chance(32), Buffer.of(1)]))),
  found(
    'extended private key (xprv)',
    base58Check(Buffer.concat([Buffer.from('0488ade4', 'hex'), chance(74)])),
  ),
  named('Ethereum private key', 'ETH_PRIVATE_KEY', `0x${hex(64)}`),
  found(
    'recovery codes',
    `## Recovery codes\n\n- ${hex(5)}-${hex(5)}\n- ${mixed(5)}-${mixed(5)}\n`,
    `${hex(5)}-${hex(5)}`,
  ),
  found('recovery codes in a row', `Backup codes: 8391 0274, 1183 9920`, '8391 0274, 1183 9920'),
  found('escaped GitHub token', `gh${'p\\_'}${word(36)}`),
  found('escaped Stripe key', `sk${'\\_live\\_'}${word(24)}`),
  found('escaped GitLab token', `gl${'pat\\-'}${word(20)}`),
];
