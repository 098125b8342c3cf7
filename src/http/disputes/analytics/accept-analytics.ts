import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import { limits } from '../../../domain/limits.ts';
import { psps } from '../../../domain/psps.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { enumField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import type { DisputesContext } from '../caller.ts';
import { validationAnswer, validationDocs } from '../validation-answer.ts';
import { readAnalyticsRecord } from './read-analytics-record.ts';

function text(description: string, maxLength: number = limits.idLength) {
  const schema = { type: ['string', 'null'], maxLength, description };
  return Type.Optional(Type.Unsafe<string | null>(schema));
}

/** For the docs; the rules themselves are domain/analytics/. */
export const analyticsSchema = Type.Object(
  {
    customer_email: Type.String({
      format: 'email',
      description: "The customer's e-mail address. A display name before it is dropped.",
    }),
    ipv4_address: Type.String({
      format: 'ipv4',
      description: "The customer's address, from the checkout's request headers.",
    }),
    psp: enumField(psps, 'The PSP that processed the transaction.'),
    user_agent: text("The customer's user agent.", limits.userAgentLength),
    customer_id: text('The customer at the PSP.'),
    invoice_id: text('The invoice at the PSP.'),
    subscription_id: text('The subscription at the PSP.'),
    charge_id: text('The charge at the PSP.'),
    transaction_id: text('The transaction at the PSP.'),
    network_transaction_id: text('The transaction in the card network.'),
  },
  {
    title: 'AnalyticsRecord',
    description:
      'At least one of invoice_id, subscription_id, charge_id, transaction_id and network_transaction_id is there. The more there are, the surer disputes are matched.',
  },
);

export const analyticsExample = {
  customer_email: 'jane@example.com',
  ipv4_address: '8.8.4.4',
  psp: 'stripe',
  user_agent: 'Mozilla/5.0',
  customer_id: 'cus_1001',
  charge_id: 'ch_1001',
};

export const analyticsIdExample = 'ana_4c1vbz7p0x9k2m5n8q3r6t0w';

/** POST /v1/analytics/: what a checkout captured. */
export const acceptAnalytics = defineEndpoint({
  method: 'POST',
  path: '/v1/analytics/',
  aliases: ['/v1/analytics'],
  scope: 'intake',
  docs: {
    id: 'createAnalytics',
    tag: 'Analytics',
    summary: 'Submit what a checkout captured',
    description:
      'The answer means that it is durable. The same content again has the same id, and changes nothing. `/v1/analytics` without the slash is the same.',
  },
  documented: { body: analyticsSchema },
  body: { mediaType: 'application/json', examples: { example: analyticsExample } },
  answers: {
    200: {
      description: 'It is kept.',
      schema: Type.Object({ id: Type.String() }),
      example: { id: analyticsIdExample },
    },
    422: validationDocs,
  },
  async answer({ exchange }, { api, merchantId }: DisputesContext) {
    const body = await exchange.readBody(limits.requestBodyBytes);
    if (body.kind === 'too_large') throw new AppError('payload_too_large', bodyTooLarge);
    const bytes = body.kind === 'whole' ? body.bytes : Buffer.alloc(0);
    const reading = readAnalyticsRecord(bytes, exchange.contentType);
    if (reading.kind === 'invalid') return validationAnswer(reading.detail);
    const outcome = await api.accept({ merchantId, body: reading.body });
    return outcome.kind === 'invalid'
      ? validationAnswer(outcome.detail)
      : jsonAnswer(200, { id: outcome.analyticsId });
  },
});

const bodyTooLarge = `An analytics record may have at most ${limits.requestBodyBytes} bytes.`;
