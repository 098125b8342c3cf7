import { describe, expect, it } from 'vitest';
import { adyenHmacKey, signedItem } from '../../kits/psps/adyen-server.ts';
import { deadAddress } from '../broken-psp.ts';
import { adyen, gatewayTo, receivedAt } from './adyen-kit.ts';

const connected = {
  api_key: 'k',
  merchant_account: 'RecoupECOM',
  hmac_key: adyenHmacKey,
};

async function eventOf(fields: Record<string, unknown>) {
  const body = JSON.stringify({ live: 'false', notificationItems: [signedItem(fields)] });
  // Nothing is asked of Adyen: there is no such server.
  const reading = await gatewayTo('http://127.0.0.1:9', connected).readWebhook({
    rawBody: Buffer.from(body),
    headers: {},
    receivedAt,
  });
  if (reading.kind !== 'read') throw new Error(reading.reason);
  return reading.events[0];
}

async function disputeOf(fields: Record<string, unknown>) {
  const parsed = (await eventOf(fields))?.parsed;
  if (parsed?.kind !== 'dispute') throw new Error('no dispute was read');
  return parsed.dispute;
}

describe('a chargeback of Adyen', () => {
  // In the shape of Adyen/adyen-openapi, Webhooks-v1, example post-CHARGEBACK-chargeback.
  const chargeback = {
    eventCode: 'CHARGEBACK',
    pspReference: 'DISPUTE000000001',
    originalReference: 'PAYMENT000000001',
    merchantReference: 'order-1',
    amount: { value: 1_000, currency: 'EUR' },
    reason: 'No Cardholder Authorization',
    paymentMethod: 'mc',
    additionalData: {
      chargebackReasonCode: ' 4837',
      chargebackSchemeCode: 'mc',
      defensePeriodEndsAt: '2026-12-12T10:00:00+01:00',
      disputeStatus: 'Undefended',
      shopperReference: 'shopper-1',
    },
  };

  it('is read whole, and says which fields nobody signed', async () => {
    const dispute = await disputeOf(chargeback);
    expect(dispute).toEqual({
      pspDisputeId: 'DISPUTE000000001',
      kind: 'dispute',
      stage: 'chargeback',
      status: 'needs_response',
      network: 'mastercard',
      reason: 'No Cardholder Authorization',
      reasonCode: '4837',
      reasonFamily: 'fraud',
      money: { amountMinor: 1_000, currency: 'EUR' },
      openedAt: new Date('2026-11-02T09:00:00.000Z'),
      respondBy: new Date('2026-12-12T09:00:00.000Z'),
      paymentIds: ['PAYMENT000000001'],
      merchantReference: 'order-1',
      pspCustomerId: 'shopper-1',
      unsignedFields: expect.anything(),
    });
    expect(dispute?.unsignedFields?.toSorted()).toEqual(
      ['openedAt', 'respondBy', 'pspCustomerId', 'network', 'reason', 'reasonCode', 'reasonFamily']
        .concat('status')
        .toSorted(),
    );
  });

  it('of a charge of ours has its key', async () => {
    const merchantReference = `att_${'0123456789abcdefghjkmnpq'}-1`;
    expect(await disputeOf({ ...chargeback, merchantReference })).toMatchObject({
      idempotencyKey: merchantReference,
    });
  });

  it('counts money in our minor units', async () => {
    const amount = { value: 50_000, currency: 'CLP' };
    expect(await disputeOf({ ...chargeback, amount })).toMatchObject({
      money: { amountMinor: 500, currency: 'CLP' },
    });
  });
});

describe('the events of a dispute', () => {
  it.each([
    ['NOTIFICATION_OF_CHARGEBACK', 'chargeback', 'needs_response'],
    ['DISPUTE_OPENED_WITH_CHARGEBACK', 'chargeback', 'needs_response'],
    ['CHARGEBACK_REVERSED', 'chargeback', 'under_review'],
    ['SECOND_CHARGEBACK', 'chargeback', 'lost'],
    ['REQUEST_FOR_INFORMATION', 'inquiry', 'needs_response'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'chargeback', 'expired'],
    ['PREARBITRATION_LOST', 'pre_arbitration', 'lost'],
    ['PREARBITRATION_WON', 'pre_arbitration', 'won'],
  ])('%s is %s, %s, without its payment too', async (eventCode, stage, status) => {
    expect(await disputeOf({ eventCode, pspReference: 'DISPUTE000000001' })).toMatchObject({
      pspDisputeId: 'DISPUTE000000001',
      stage,
      status,
      paymentIds: [],
    });
  });

  // In the shape of Adyen/adyen-openapi, Webhooks-v1, example post-INFORMATION_SUPPLIED-information_supplied.
  it('INFORMATION_SUPPLIED of a chargeback leaves it one, which awaits a decision', async () => {
    const additionalData = {
      chargebackReasonCode: '13.3',
      chargebackSchemeCode: 'visa',
      disputeStatus: 'Pending',
    };
    const fields = { eventCode: 'INFORMATION_SUPPLIED', pspReference: 'DISPUTE000000001' };
    expect(await disputeOf({ ...fields, additionalData })).toMatchObject({
      stage: 'chargeback',
      status: 'under_review',
      reasonCode: '13.3',
    });
  });

  it('INFORMATION_SUPPLIED of a request for information is known by the code of that', async () => {
    const additionalData = { rfiReasonCode: '127', rfiSchemeCode: 'amex' };
    const fields = { eventCode: 'INFORMATION_SUPPLIED', paymentMethod: 'amex', additionalData };
    const dispute = await disputeOf(fields);
    expect(dispute).toMatchObject({ stage: 'inquiry', status: 'under_review', reasonCode: '127' });
    expect(dispute?.unsignedFields).toContain('stage');
  });

  it('of one name are two where they tell two states, and each is one however often it comes', async () => {
    const pspReference = 'DISPUTE000000001';
    const supplied = (additionalData: object) =>
      eventOf({ eventCode: 'INFORMATION_SUPPLIED', pspReference, additionalData });
    const inquiry = { rfiReasonCode: '127', rfiSchemeCode: 'visa', disputeStatus: 'Responded' };
    const chargeback = { chargebackReasonCode: '13.3', disputeStatus: 'Pending' };
    const told = [await supplied(inquiry), await supplied(chargeback)];
    expect(told.map((event) => event?.eventId)).toEqual([
      'DISPUTE000000001:INFORMATION_SUPPLIED:true:inquiry:under_review',
      'DISPUTE000000001:INFORMATION_SUPPLIED:true:chargeback:under_review',
    ]);
    expect(await supplied(inquiry)).toEqual(told[0]);
    const reversed = (disputeStatus: string) =>
      eventOf({
        eventCode: 'CHARGEBACK_REVERSED',
        pspReference,
        additionalData: { disputeStatus },
      });
    const [pending, won] = [await reversed('Pending'), await reversed('Won')];
    expect(pending?.eventId).not.toBe(won?.eventId);
  });

  it('NOTIFICATION_OF_FRAUD is a warning', async () => {
    const fields = { eventCode: 'NOTIFICATION_OF_FRAUD', originalReference: 'PAYMENT000000001' };
    expect(await disputeOf(fields)).toMatchObject({
      kind: 'fraud_warning',
      paymentIds: ['PAYMENT000000001'],
    });
  });

  it('ISSUER_COMMENTS changes no state', async () => {
    expect(await disputeOf({ eventCode: 'ISSUER_COMMENTS' })).toBeUndefined();
  });
});

describe('the look-up of a dispute', () => {
  const question = { kind: 'dispute', status: 'needs_response', paymentIds: [] } as const;
  const verified = { kind: 'read', facts: {}, verified: ['status'] };

  it.each([
    ['that can be defended bears its status out', 'OPEN1', question, verified],
    ['that cannot says nothing', 'CLOSED1', question, { kind: 'nothing' }],
    [
      'that was answered is not asked',
      'OPEN1',
      { ...question, status: 'won' },
      { kind: 'nothing' },
    ],
  ] as const)('%s', async (_what, pspDisputeId, asked, answer) => {
    const server = await adyen();
    const gateway = gatewayTo(server.url, server.credentials);
    expect(await gateway.lookUpDispute({ ...asked, pspDisputeId })).toEqual(answer);
  });

  it('is to be made again when Adyen does not answer', async () => {
    const { url, credentials } = await adyen();
    for (const [at, pspDisputeId] of [
      [url, 'BUSY1'],
      [await deadAddress(), 'OPEN1'],
    ] as const) {
      const answer = await gatewayTo(at, credentials).lookUpDispute({ ...question, pspDisputeId });
      expect(answer).toMatchObject({ kind: 'unavailable' });
    }
  });

  it('is not made again where the credential may not ask', async () => {
    const { url, refusedCredentials } = await adyen();
    const gateway = gatewayTo(url, refusedCredentials);
    const asked = { ...question, pspDisputeId: 'OPEN1' };
    expect(await gateway.lookUpDispute(asked)).toEqual({ kind: 'nothing' });
  });
});
