// Payments, shops and shipping.
import type { Shape } from '../shapes.ts';
import { made, real } from './real.ts';

export const paymentTokens: readonly Shape[] = [
  {
    kind: 'Stripe key',
    pattern: /(?<!\w)(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,250}(?!\w)/g,
    holds: real,
  },
  { kind: 'Stripe webhook secret', pattern: /(?<!\w)whsec_[A-Za-z0-9+/]{24,64}={0,2}/g, holds: made },
  {
    kind: 'Square token',
    pattern: /(?<![\w-])(?:EAAA[\w-]{56,64}|sq0(?:atp|csp)-[\w-]{22,60})(?![\w-])/g,
    holds: made,
  },
  {
    kind: 'Braintree token',
    pattern: /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}(?!\w)/g,
    holds: real,
  },
  {
    kind: 'Plaid token',
    pattern:
      /(?<![\w-])access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?!\w)/g,
    holds: real,
  },
  { kind: 'GoCardless token', pattern: /(?<!\w)live_[\w=-]{40}(?![\w=-])/g, holds: made },
  { kind: 'Lob key', pattern: /(?<!\w)(?:live|test)_(?:pub_[0-9a-f]{31}|[0-9a-f]{35})(?!\w)/g, holds: real },
  {
    kind: 'Flutterwave key',
    pattern: /(?<!\w)FLW(?:SECK|PUBK)(?:_TEST)?-[0-9a-h]{12,32}(?:-X)?(?!\w)/gi,
    holds: made,
  },
  {
    kind: 'Freemius key',
    pattern: /["']secret_key["'][ ]{0,4}=>[ ]{0,4}["'](sk_[^\s"']{29})(?=["'])/g,
    holds: real,
  },
  { kind: 'Duffel token', pattern: /(?<!\w)duffel_(?:test|live)_[\w=-]{43}(?![\w=-])/g, holds: real },
  { kind: 'EasyPost key', pattern: /(?<!\w)EZ[AT]K[A-Za-z0-9]{54}(?!\w)/g, holds: real },
  { kind: 'Shippo token', pattern: /(?<!\w)shippo_(?:live|test)_[0-9a-f]{40}(?!\w)/gi, holds: real },
  { kind: 'Shopify token', pattern: /(?<!\w)shp(?:at|ca|pa|ss|ua)_[0-9a-f]{32}(?!\w)/gi, holds: real },
  { kind: 'Beamer token', pattern: /(?<!\w)b_[a-z0-9=_-]{44}(?![\w=-])/g, holds: made },
];
