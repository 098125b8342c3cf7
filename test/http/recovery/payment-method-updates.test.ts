import { describe, expect, test } from 'vitest';
import { testServer } from '../../kits/recovery-server.ts';

const url = '/recover/payment_method_updates';

describe('takes', () => {
  test.each([
    [
      'both customer ids',
      { customer_id: 'c', psp_customer_id: 'p', payment_method_id: 'pm', reason: 'user_added' },
    ],
    ['the customer’s id alone', { customer_id: 'c', payment_method_id: 'pm' }],
    [
      'the id at the PSP alone',
      { psp_customer_id: 'p', payment_method_id: 'pm', reason: 'network_updated' },
    ],
    [
      'ids of 255 characters',
      { customer_id: '😀'.repeat(255), payment_method_id: 'p'.repeat(255) },
    ],
  ])('%s', async (_name, body) => {
    const { post, api } = testServer();
    expect((await post(url, body)).statusCode).toBe(200);
    expect(api.acceptedUpdates).toEqual([
      { merchantId: 'mer_first', body, uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
  });

  test.each([
    ['customer_id', { psp_customer_id: 'p', payment_method_id: 'pm', reason: 'user_removed' }],
    ['psp_customer_id', { customer_id: 'c', payment_method_id: 'pm' }],
  ])('an empty %s beside the other one, as if it were left out', async (name, body) => {
    const { post, api } = testServer();
    expect((await post(url, { ...body, [name]: '' })).statusCode).toBe(200);
    expect(api.acceptedUpdates.map((update) => update.body)).toEqual([body]);
  });

  test('fields that it does not know, and does not keep them', async () => {
    const { post, api } = testServer();
    const body = { customer_id: 'c', payment_method_id: 'pm', card: { cvc: '123' }, version: 2 };
    expect((await post(url, body)).statusCode).toBe(200);
    expect(api.acceptedUpdates[0]?.body).toEqual({ customer_id: 'c', payment_method_id: 'pm' });
  });
});

describe('lists every fault', () => {
  const required = 'Field required';
  const notText = 'Input should be a valid string';
  const empty = 'String should have at least 1 character';
  const reasons =
    "Input should be 'user_added', 'user_removed', 'user_updated' or 'network_updated'";
  test.each([
    [{}, [{ customer_id: required }, { payment_method_id: required }]],
    [{ reason: 'user_added' }, [{ customer_id: required }, { payment_method_id: required }]],
    [
      { customer_id: null, payment_method_id: null, reason: null },
      [{ customer_id: required }, { payment_method_id: notText }],
    ],
    [{ customer_id: '', payment_method_id: 'pm' }, [{ customer_id: empty }]],
    [
      { customer_id: '', psp_customer_id: '', payment_method_id: '' },
      [{ customer_id: empty }, { psp_customer_id: empty }, { payment_method_id: empty }],
    ],
    [
      { customer_id: null, psp_customer_id: '', payment_method_id: 'pm' },
      [{ psp_customer_id: empty }],
    ],
    [
      { reason: '', psp_customer_id: 7, payment_method_id: ['pm'], customer_id: {} },
      [
        { customer_id: notText },
        { psp_customer_id: notText },
        { payment_method_id: notText },
        { reason: reasons },
      ],
    ],
    [
      { customer_id: 'c'.repeat(256), payment_method_id: 'p'.repeat(300) },
      [
        { customer_id: 'String should have at most 255 characters' },
        { payment_method_id: 'String should have at most 255 characters' },
      ],
    ],
    [{ customer_id: 'c', payment_method_id: 'p', reason: 'USER_ADDED' }, [{ reason: reasons }]],
  ])('%j', async (body, errors) => {
    const { post, api } = testServer();
    const answer = await post(url, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ message: 'Invalid request body', errors });
    expect(api.acceptedUpdates).toEqual([]);
  });
});
