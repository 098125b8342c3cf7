import { describe, expect, it } from 'vitest';
import type { PspCredentials } from '../../../src/psp/adapter.ts';
import { signedEvent, worldpaySecret } from '../../kits/psps/worldpay-server.ts';
import { gatewayTo, now, request, worldpay } from './worldpay-kit.ts';

const ownKey = `att_${'0123456789abcdefghjkmnpq'}-1`;
const account: PspCredentials = {
  username: 'u',
  password: 'p',
  entity: 'RecoupShop',
  webhook_secret: `older-secret ${worldpaySecret}`,
};
/** Nobody listens here: what is read without asking does not need it. */
const nowhere = 'http://127.0.0.1:9';

function read(
  event: { readonly text: string | Uint8Array; readonly headers: Record<string, string> },
  credentials: PspCredentials = account,
  url = nowhere,
) {
  const rawBody = Buffer.from(event.text);
  const { headers } = event;
  return gatewayTo(url, credentials, 1_000).readWebhook({ rawBody, headers, receivedAt: now });
}

const payment = (details: object = {}) => ({ transactionReference: ownKey, ...details });

describe('an event of Worldpay', () => {
  it.each(['authorized', 'sentForSettlement'])('%s resolves our charge', async (type) => {
    expect(await read(signedEvent(payment({ type })))).toEqual({
      kind: 'read',
      events: [
        {
          eventId: 'bb55ca5a-e05c-47e1-8e94-e88bac1a0a17',
          type,
          occurredAt: new Date('2026-11-02T09:00:00.407Z'),
          parsed: {
            kind: 'charge_settled',
            idempotencyKey: ownKey,
            result: { kind: 'succeeded', pspTransactionId: ownKey },
          },
        },
      ],
    });
  });

  it('refused resolves our charge with the reason that the record gives', async () => {
    const psp = await worldpay();
    const credentials = { ...psp.credentials };
    const gateway = gatewayTo(psp.url, credentials);
    await gateway.charge({ ...request, idempotencyKey: ownKey, paymentMethodId: 'tok_expired' });
    const event = signedEvent(payment({ type: 'refused' }));
    expect(await read(event, credentials, psp.url)).toMatchObject({
      kind: 'read',
      events: [
        {
          parsed: {
            kind: 'charge_settled',
            idempotencyKey: ownKey,
            result: { kind: 'declined', decline: { category: 'fix_data', networkCode: '54' } },
          },
        },
      ],
    });
  });

  it('refused is to be sent again while the record does not say why', async () => {
    const psp = await worldpay();
    const event = signedEvent(payment({ type: 'refused' }));
    expect(await read(event, psp.credentials, psp.url)).toMatchObject({ kind: 'unavailable' });
    expect(await read(event)).toMatchObject({ kind: 'unavailable' });
  });

  it('of a chargeback is a dispute of the payment', async () => {
    for (const details of [
      { classification: 'chargeback', type: 'disputed', transactionReference: 'order-1' },
      { type: 'chargedBack', transactionReference: 'order-1' },
    ]) {
      expect(await read(signedEvent(details))).toMatchObject({
        events: [
          {
            parsed: {
              kind: 'dispute',
              dispute: {
                pspDisputeId: 'bb55ca5a-e05c-47e1-8e94-e88bac1a0a17',
                kind: 'dispute',
                stage: 'chargeback',
                status: 'needs_response',
                openedAt: new Date('2026-11-02T09:00:00.407Z'),
                paymentIds: ['order-1'],
                merchantReference: 'order-1',
              },
            },
          },
        ],
      });
    }
  });

  it.each([
    ['a payment that is not ours', { transactionReference: 'order-1' }],
    ['a payout', payment({ classification: 'payout' })],
    ['a payment that is only sent', payment({ type: 'sentForAuthorization' })],
    ['a refund', payment({ type: 'sentForRefund' })],
    ['a type that is new', payment({ type: 'brandNew' })],
  ])('of %s is not used', async (_what, details) => {
    expect(await read(signedEvent(details))).toMatchObject({
      kind: 'read',
      events: [{ parsed: { kind: 'not_used' } }],
    });
  });

  it('is taken with one good signature among several', async () => {
    const event = signedEvent(payment(), ['newer-secret', worldpaySecret]);
    expect(await read(event)).toMatchObject({ kind: 'read' });
  });

  it('is the same event each time that it is sent', async () => {
    const event = signedEvent(payment());
    expect(await read(event)).toEqual(await read(event));
  });

  it('is not taken unsigned, wrongly signed or changed', async () => {
    const good = signedEvent(payment());
    const signature = good.headers['event-signature'] ?? '';
    for (const event of [
      { ...good, headers: {} },
      { ...good, headers: { 'event-signature': '' } },
      { ...good, headers: { 'event-signature': signature.replace('SHA256', 'SHA1') } },
      { ...good, headers: { 'event-signature': signature.slice(0, -2) } },
      { ...good, text: `${good.text} ` },
      signedEvent(payment(), ['another-secret']),
      signedEvent(payment(), ['']),
    ]) {
      expect(await read(event)).toMatchObject({ kind: 'unverified' });
    }
  });

  it('is not taken by a connection without a secret', async () => {
    const { webhook_secret: _none, ...without } = account;
    expect(await read(signedEvent(payment()), without)).toMatchObject({ kind: 'unverified' });
  });

  it('is malformed as no JSON object, in another encoding, or without its parts', async () => {
    const { headers } = signedEvent(payment());
    const latin = Buffer.from('{"eventId":"\u00fc"}', 'latin1');
    for (const text of ['', '[]', '{', latin]) {
      expect(await read({ text, headers })).toMatchObject({ kind: 'malformed' });
    }
    const zipped = { ...headers, 'content-encoding': 'gzip' };
    const { text } = signedEvent(payment());
    expect(await read({ text, headers: zipped })).toMatchObject({ kind: 'malformed' });
    const partless = signedEvent(payment({ type: undefined }));
    expect(await read(partless)).toMatchObject({ kind: 'malformed' });
  });
});
