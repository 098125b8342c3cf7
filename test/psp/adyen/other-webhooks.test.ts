import { describe, expect, it } from 'vitest';
import { adyenHmacKey, hmac } from '../../kits/psps/adyen-server.ts';
import { gatewayTo, receivedAt } from './adyen-kit.ts';

function read(body: string, hmacsignature: string) {
  // Nothing is asked of Adyen: there is no such server.
  const gateway = gatewayTo('http://127.0.0.1:9', {
    api_key: 'k',
    merchant_account: 'RecoupECOM',
    hmac_key: adyenHmacKey,
  });
  return gateway.readWebhook({
    rawBody: Buffer.from(body),
    headers: { hmacsignature },
    receivedAt,
  });
}

/** As Adyen publishes it (Webhooks v1): it has no eventId. */
const notice = (type: string) =>
  JSON.stringify({
    type,
    version: '1',
    createdAt: '2026-01-01T01:00:00+01:00',
    environment: 'test',
    data: {
      pspReference: 'QFQTPCQ8HXSKGK82',
      shopperReference: 'cus_7',
      notificationOfChange: { reasonCode: 'C07', newBankAccountNumber: '987654321' },
    },
  });

describe('a signed webhook of Adyen that is of no use here', () => {
  it.each(['ach.notificationOfChange', 'eft.notificationOfChange'])(
    '%s is acknowledged, so that it does not come for a month',
    async (type) => {
      const body = notice(type);
      expect(await read(body, hmac(body))).toEqual({
        kind: 'read',
        answer: '[accepted]',
        events: [],
      });
    },
  );

  it('is refused like every other if its signature is of another body', async () => {
    const body = notice('ach.notificationOfChange');
    expect(await read(body, hmac(`${body} `))).toMatchObject({ kind: 'unverified' });
  });

  it('is malformed where its id is there and cannot be one', async () => {
    const body = JSON.stringify({ ...JSON.parse(notice('ach.notificationOfChange')), eventId: 7 });
    expect(await read(body, hmac(body))).toMatchObject({ kind: 'malformed' });
  });
});
