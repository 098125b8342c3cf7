import { Type } from 'typebox';
import { isCustomerPageUrl } from '../../domain/customers/customer-page-url.ts';
import type { Fault } from '../../domain/json/fault.ts';
import type { MerchantAuth } from '../../domain/merchant.ts';
import { isTimeZone, noZoneText } from '../../domain/places/time-zone.ts';
import { type Psp, psps } from '../../domain/psps.ts';
import { enumField, shapedField } from '../../http/fields.ts';
import type { PspConnection } from '../../recovery/operator-api.ts';
import { messageField } from '../shapes.ts';
import { pauseAfterDaysField } from '../webhooks/endpoint-shape.ts';
import { policyBody } from './policy-body.ts';

/** Lengths that the database keeps. */
const nameLength = 200;
const urlLength = 2048;

const secretField = shapedField(
  'A secret; never shown again.',
  '^[^\\x00-\\x1f\\x7f]{1,4096}$',
  '1 to 4096 characters without line breaks',
);

export const authBody = Type.Unsafe<MerchantAuth>({
  title: 'MerchantAuth',
  type: 'object',
  description: "How calls to the merchant's server are authenticated. Default: none.",
  discriminator: { propertyName: 'type' },
  'x-fault': "Input should have the type 'none', 'api_key' or 'basic'",
  oneOf: [
    authKind('none', {}),
    authKind('api_key', {
      api_key: shapedField(
        'Sent in the header x-api-key.',
        '^[\\x21-\\x7e]{1,1024}$',
        '1 to 1024 visible ASCII characters, since it is sent in a header',
      ),
    }),
    authKind('basic', {
      username: shapedField(
        'The user name of HTTP Basic.',
        '^[^:\\x00-\\x1f\\x7f]{1,255}$',
        '1 to 255 characters without a colon or line breaks',
      ),
      password: secretField,
    }),
  ],
});

function authKind(type: MerchantAuth['type'], properties: Record<string, unknown>): object {
  return {
    type: 'object',
    properties: { type: { type: 'string', const: type }, ...properties },
    required: ['type', ...Object.keys(properties)],
    additionalProperties: false,
  };
}

export type PspBody = { readonly psp: Psp } & Readonly<Record<string, string>>;

export const pspBody = Type.Unsafe<PspBody>({
  title: 'PspCredentials',
  type: 'object',
  description: "A processor, with the credentials it needs under that processor's own names.",
  properties: { psp: enumField(psps, 'The processor.') },
  required: ['psp'],
  maxProperties: 20,
  additionalProperties: secretField,
  examples: [{ psp: 'stripe', secret_key: 'sk_live_…', webhook_secret: 'whsec_…' }],
});

export const urlField = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: urlLength, 'x-id': true });

const fields = {
  name: messageField('What people call the merchant.', nameLength),
  retry_status_url: urlField(
    'Asked before each try; {invoice_id} in its path or query is replaced by the invoice.',
  ),
  webhook_url: urlField('Where the results are sent.'),
  auth: Type.Optional(authBody),
  psps: Type.Array(pspBody, { minItems: 1, maxItems: psps.length }),
  policy: Type.Optional(policyBody),
  incident_events: Type.Optional(
    Type.Boolean({ description: 'Whether to send the incident event too. Default: false.' }),
  ),
  time_zone: Type.Optional(
    Type.String({
      description:
        "The merchant's own time zone (IANA name), in which days chosen on the dashboard may begin and end. Default: UTC.",
      maxLength: 64,
      examples: ['America/New_York'],
    }),
  ),
  customer_action_events: Type.Optional(
    Type.Boolean({
      description:
        'Whether to send customer_action_required and customer_action_resolved too. Default: false.',
    }),
  ),
  customer_page_url: Type.Optional(
    Type.String({
      description:
        'Your page for a customer who has to act, with {token} in its path, query or fragment. customer_action_required and messages then carry a signed link to it. Empty: none.',
      maxLength: urlLength,
      'x-id': true,
    }),
  ),
  webhook_quick_sends: Type.Optional(
    Type.Boolean({
      description:
        'Whether a webhook that was not acknowledged is sent again after 5 s, 1 min, 10 min and 1 h too, before the 12 hours. Default: false.',
    }),
  ),
  webhook_pause_after_days: Type.Optional(pauseAfterDaysField(0)),
  end_of_dunning: Type.Optional(
    Type.Boolean({ description: 'Whether to send the end_of_dunning event too. Default: false.' }),
  ),
};

export const newMerchantBody = Type.Object(fields, {
  description: 'The merchant to create.',
  additionalProperties: false,
  examples: [
    {
      name: 'Acme',
      retry_status_url: 'https://billing.acme.example/retry/{invoice_id}',
      webhook_url: 'https://billing.acme.example/webhooks/retry-results',
      auth: { type: 'api_key', api_key: 'key-that-Acme-gave-you' },
      psps: [{ psp: 'sandbox' }],
      policy: { kind: 'even', window_days: 28, max_attempts: 4, fixed_days: [7, 14, 21, 28] },
    },
  ],
});
export type NewMerchantBody = Type.Static<typeof newMerchantBody>;

export const merchantChangeBody = Type.Object(
  {
    ...fields,
    name: Type.Optional(fields.name),
    retry_status_url: Type.Optional(fields.retry_status_url),
    webhook_url: Type.Optional(fields.webhook_url),
    psps: Type.Optional(fields.psps),
  },
  {
    description:
      'What to change. auth and psps are replaced as a whole, policy field by field; the rest stays.',
    additionalProperties: false,
    examples: [{ policy: { max_attempts: 4 } }],
  },
);
export type MerchantChangeBody = Type.Static<typeof merchantChangeBody>;

/** What the schema cannot say about a merchant's addresses and processors. */
export function merchantFaults(body: MerchantChangeBody): readonly Fault[] {
  const faults: Fault[] = [];
  for (const at of ['retry_status_url', 'webhook_url'] as const) {
    const text = body[at];
    const protocol = text === undefined ? 'https:' : URL.parse(text)?.protocol;
    if (protocol !== 'https:' && protocol !== 'http:') {
      faults.push({ at, text: 'Input should be an address that begins with https://' });
    }
  }
  const page = body.customer_page_url;
  if (page !== undefined && page !== '' && !isCustomerPageUrl(page)) {
    const text = 'Input should be an address that begins with https:// and has {token} in it once';
    faults.push({ at: 'customer_page_url', text });
  }
  if (body.time_zone !== undefined && !isTimeZone(body.time_zone)) {
    faults.push({ at: 'time_zone', text: noZoneText });
  }
  const seen = new Set<string>();
  for (const [index, { psp }] of (body.psps ?? []).entries()) {
    if (seen.has(psp)) faults.push({ at: `psps.${index}.psp`, text: 'Processor given twice' });
    seen.add(psp);
  }
  return faults;
}

export function pspConnection(body: PspBody): PspConnection {
  const { psp, ...credentials } = body;
  return { psp, credentials };
}

/** As it is kept: none for an empty one. */
export function customerPageUrl(given: string): string | null {
  return given === '' ? null : given;
}
