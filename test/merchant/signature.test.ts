import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSigningSecret } from '../../src/domain/key-text.ts';
import { deduplicationId, signWebhook } from '../../src/merchant/signature.ts';
import { standardWebhookHeaders } from '../../src/merchant/standard-webhooks.ts';

describe('the signature', () => {
  it('is an HMAC of the body followed by the decimal expiration, with the secret as UTF-8', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 0, max: 99_999_999_999 }),
        (secret, body, expiresAtUnix) => {
          const bytes = Buffer.from(`${body}${expiresAtUnix}`, 'utf8');
          const key = Buffer.from(secret, 'utf8');
          const expected = createHmac('sha256', key).update(bytes).digest('hex');
          const ofText = signWebhook({ secret, body, expiresAtUnix });
          const ofBytes = signWebhook({ secret, body: Buffer.from(body), expiresAtUnix });
          expect([ofText, ofBytes]).toEqual([expected, expected]);
          expect(ofText).toMatch(/^[0-9a-f]{64}$/);
        },
      ),
    );
  });

  it('names an event by the MD5 of its id', () => {
    expect(deduplicationId('')).toBe('d41d8cd98f00b204e9800998ecf8427e');
    expect(deduplicationId('evt_1')).toMatch(/^[0-9a-f]{32}$/);
    expect(deduplicationId('evt_1')).not.toBe(deduplicationId('evt_2'));
  });
});

describe('Standard Webhooks headers', () => {
  const input = { eventId: 'evt_1', sentAtUnix: 1_772_366_400, body: '{}' };

  it('have one signature for each secret, in order', () => {
    const one = standardWebhookHeaders({ ...input, secrets: ['new'] })['webhook-signature'];
    const other = standardWebhookHeaders({ ...input, secrets: ['old'] })['webhook-signature'];
    const both = standardWebhookHeaders({ ...input, secrets: ['new', 'old'] });
    expect(both['webhook-signature']).toBe(`${one} ${other}`);
  });

  it('are what a library of the standard expects that has the secret as whsec_ and base64', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (secret, body) => {
        const headers = standardWebhookHeaders({ ...input, body, secrets: [secret] });
        const whsec = `whsec_${Buffer.from(secret, 'utf8').toString('base64')}`;
        const key = Buffer.from(whsec.slice('whsec_'.length), 'base64');
        const { 'webhook-id': id, 'webhook-timestamp': sent } = headers;
        const expected = createHmac('sha256', key).update(`${id}.${sent}.${body}`).digest('base64');
        expect(headers['webhook-signature']).toBe(`v1,${expected}`);
      }),
    );
  });

  it('are accepted by the official library with the secret as it is issued, also while it is changed', () => {
    const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
    const [older, newer] = [newSigningSecret(random), newSigningSecret(random)];
    const sentAtUnix = Math.floor(Date.now() / 1000);
    const body = '{"invoice_id":"in_1"}';
    const headers = standardWebhookHeaders({ ...input, sentAtUnix, body, secrets: [newer, older] });
    for (const secret of [older, newer]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ invoice_id: 'in_1' });
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow(
        'No matching signature',
      );
    }
    const stranger = new Webhook(newSigningSecret(random));
    expect(() => stranger.verify(body, headers)).toThrow('No matching signature');
    // Receivers that took the whole text for the key go on.
    const text = new Webhook(`whsec_${Buffer.from(older).toString('base64')}`);
    expect(text.verify(body, headers)).toEqual({ invoice_id: 'in_1' });
  });

  it('refuse an id that would move the borders of the signed text', () => {
    expect(() => standardWebhookHeaders({ ...input, eventId: 'evt.1', secrets: ['s'] })).toThrow(
      'Invariant broken',
    );
  });
});
