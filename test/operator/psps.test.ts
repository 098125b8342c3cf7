import { expect, it } from 'vitest';
import { fieldsOf, operatorKit, operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

/** A merchant at the sandbox, where the answer to one charge was lost. */
async function withMerchant(): Promise<OperatorService & { readonly path: string }> {
  const service = await operatorService();
  const merchantId = await service.merchant();
  const key = { merchantId, invoiceId: 'in_1' };
  await seedPayment(service.db, { ...key, state: 'attempting' });
  await seedAttempt(service.db, { ...key, number: 1, state: 'unknown' });
  return { ...service, path: `/api/merchants/${merchantId}/psps` };
}

const open = {
  count: 1,
  amounts: [{ amount: 10, currency: 'EUR' }],
  oldest_sent_at: minute(1).toISOString(),
};
const stripe = { psp: 'stripe', secret_key: 'sk_canary', webhook_secret: 'whsec_canary' };

it('lists the processors with the credentials that each needs', async () => {
  const { json } = await operatorKit().ask('GET', '/api/psps');
  expect(json.items.map((item: { psp: string }) => item.psp)).toEqual(['stripe', 'sandbox']);
  expect(json.items[0].credentials[0]).toEqual({
    name: 'secret_key',
    label: 'Secret key',
    required: true,
    secret: true,
    meaning: 'A secret of the account.',
  });
});

it('answers what the processor said of a new connection, without its credentials', async () => {
  const { ask, path } = await withMerchant();
  const reply = await ask('POST', path, stripe);
  expect([reply.status, reply.json]).toEqual([
    200,
    {
      psp: 'stripe',
      result: 'accepted',
      account: 'acct_1',
      checked_at: '2026-03-01T09:30:00.000Z',
      mode: 'unknown',
      version: 1,
    },
  ]);
});

it('answers alike for processors that are unknown and that are not connected', async () => {
  const { server, path } = await withMerchant();
  const headers = { authorization: `Bearer ${operatorToken}`, 'request-id': 'same' };
  for (const [method, rest] of [
    ['POST', '/test'],
    ['DELETE', ''],
  ] as const) {
    const names = ['stripe', 'adyen', 'nonsense', 'Stripe'];
    const answers = await Promise.all(
      names.map((psp) => server.inject({ method, url: `${path}/${psp}${rest}`, headers })),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
  }
});

it('lists the accounts of a merchant with what is open at each', async () => {
  const { ask, path } = await withMerchant();
  await ask('POST', path, stripe);
  await ask('POST', path, { ...stripe, secret_key: 'sk_of_B_1' });
  const account = { mode: 'unknown', connected_at: '2026-03-01T09:30:00.000Z' };
  const retired = { state: 'retired', retired_at: '2026-03-01T09:30:00.000Z' };
  expect((await ask('GET', path)).json.items).toEqual([
    { psp: 'sandbox', version: 1, ...account, state: 'active', open },
    { psp: 'stripe', version: 1, ...account, ...retired },
    { psp: 'stripe', version: 2, account: 'B', ...account, state: 'active' },
  ]);
  expect((await ask('GET', '/api/merchants/mer_none/psps')).status).toBe(404);
});

it('tests a saved connection, and says what is wrong with it', async () => {
  const { ask, path, psp } = await withMerchant();
  psp.check = { kind: 'refused', reason: 'The key was revoked.' };
  expect((await ask('POST', `${path}/sandbox/test`)).json).toMatchObject({
    result: 'refused',
    reason: 'The key was revoked.',
  });
});

it('removes a connection, and says what is open there, but never the last one', async () => {
  const { ask, path } = await withMerchant();
  expect((await ask('DELETE', `${path}/stripe`)).status).toBe(404);
  expect((await ask('DELETE', `${path}/sandbox`)).status).toBe(409);
  await ask('POST', path, stripe);
  expect(await ask('DELETE', `${path}/sandbox`)).toMatchObject({
    status: 200,
    json: { psp: 'sandbox', version: 1, open },
  });
});

it.each([
  ['POST', '', { psp: 'square' }, 400],
  ['POST', '', { secret_key: 'sk_1' }, 400],
  ['POST', '', { psp: 'stripe', secret_key: 7 }, 400],
  ['POST', '', { ...stripe, secret_key: 'sk_refused' }, 422],
  ['POST', '/stripe/test', undefined, 404],
] as const)('refuses %s %s %j', async (method, below, body, status) => {
  const { ask, path } = await withMerchant();
  expect((await ask(method, path + below, body)).status).toBe(status);
});

it('connects and tests nothing for an unknown merchant', async () => {
  const { ask } = await operatorService();
  const path = '/api/merchants/mer_none/psps';
  expect((await ask('POST', path, stripe)).status).toBe(404);
  expect((await ask('POST', `${path}/sandbox/test`)).status).toBe(404);
});

it('names the field that is no secret', async () => {
  const path = '/api/merchants/mer_1/psps';
  const reply = await operatorKit().ask('POST', path, { psp: 'stripe', secret_key: 'a\nb' });
  expect(fieldsOf(reply)).toEqual([
    'secret_key: Input should be 1 to 4096 characters without line breaks',
  ]);
});
