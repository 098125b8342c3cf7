import { describe, expect, it } from 'vitest';
import { readWebhookHeaders } from '../../../src/domain/webhooks/webhook-headers.ts';

const faultsOf = (headers: Readonly<Record<string, string>>, authType = 'none') => {
  const read = readWebhookHeaders(headers, authType);
  return 'faults' in read ? read.faults : [];
};

describe('headers of an endpoint', () => {
  it('are known by their lower-case names', () => {
    expect(readWebhookHeaders({ 'X-Team': 'payments', Authorization: 'Bearer x' }, 'none')).toEqual(
      {
        headers: { 'x-team': 'payments', authorization: 'Bearer x' },
      },
    );
  });

  it.each([
    'Host',
    'content-length',
    'Content-Type',
    'transfer-encoding',
    'X-Service-Webhook-Signature',
    'x-service-webhook-anything',
    'webhook-id',
    'Webhook-Signature',
    'traceparent',
    'proxy-authorization',
  ])('are not %s, which is ours or HTTP’s', (name) => {
    expect(faultsOf({ [name]: 'x' })).toEqual([expect.stringContaining(name.toLowerCase())]);
  });

  it('are not what its credentials set', () => {
    expect(faultsOf({ 'X-API-Key': 'x' }, 'api_key')).toHaveLength(1);
    expect(faultsOf({ authorization: 'x' }, 'basic')).toHaveLength(1);
    expect(faultsOf({ 'x-api-key': 'x' }, 'basic')).toEqual([]);
  });

  it.each(['', ' x', 'a\r\nx: y', 'é', 'x'.repeat(1_001)])(
    'have no value like %j, and tell none',
    (value) => {
      const [fault] = faultsOf({ 'x-team': value });
      expect(fault).toBe('headers.x-team must be 1 to 1000 visible ASCII characters.');
    },
  );

  it.each(['', 'a b', 'a:b', 'x'.repeat(101)])('have no name like %j', (name) => {
    expect(faultsOf({ [name]: 'x' })).toHaveLength(1);
  });

  it('are twenty at most, none of them twice', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`x-${at}`, 'v']));
    expect(faultsOf(many)).toEqual(['headers may hold 20 at most.']);
    expect(faultsOf({ 'x-a': '1', 'X-A': '2' })).toEqual([
      'headers must not hold the same header twice.',
    ]);
  });
});
