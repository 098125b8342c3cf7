import { expect, it } from 'vitest';
import { fieldsOf, newMerchant, operatorKit } from '../kits/operator-server.ts';

async function withMerchant() {
  const kit = operatorKit();
  await kit.ask('POST', '/api/merchants', newMerchant);
  return kit;
}

const open = {
  count: 1,
  amounts: [{ amount: 15.99, currency: 'EUR' }],
  oldest_sent_at: '2026-03-01T09:12:04.000Z',
};
const path = '/api/merchants/mer_1/psps';

it('lists the processors with the credentials that each needs', async () => {
  const { ask } = operatorKit();
  const { json } = await ask('GET', '/api/psps');
  expect(json.items.map((item: { psp: string }) => item.psp)).toEqual(['stripe', 'sandbox']);
  expect(json.items[0].credentials[0]).toEqual({
    name: 'secret_key',
    required: true,
    secret: true,
    meaning: 'A secret of the account.',
  });
});

it('answers what the processor said of a new connection, without its credentials', async () => {
  const { ask, api } = await withMerchant();
  const body = { psp: 'stripe', secret_key: 'sk_canary', webhook_secret: 'whsec_canary' };
  const reply = await ask('POST', path, body);
  expect(reply.status).toBe(200);
  expect(reply.json).toEqual({
    psp: 'stripe',
    result: 'accepted',
    account: 'acct_1',
    checked_at: '2026-03-01T09:30:00.000Z',
    mode: 'test',
    version: 2,
    retired: { version: 1, open },
  });
  const { psp, ...credentials } = body;
  expect(api.calls.at(-1)?.input).toEqual({
    merchantId: 'mer_1',
    connection: { psp, credentials },
  });
});

it('lists the accounts of a merchant with what is open at each', async () => {
  const { ask } = await withMerchant();
  expect((await ask('GET', path)).json.items).toEqual([
    {
      psp: 'sandbox',
      version: 1,
      account: 'acct_1',
      mode: 'test',
      state: 'active',
      connected_at: '2026-03-01T09:30:00.000Z',
      open,
    },
  ]);
  expect((await ask('GET', '/api/merchants/mer_none/psps')).status).toBe(404);
});

it('tests a saved connection, and says what is wrong with it', async () => {
  const { ask } = await withMerchant();
  expect((await ask('POST', `${path}/sandbox/test`)).json).toMatchObject({
    result: 'refused',
    reason: 'The key was revoked.',
  });
});

it('removes a connection, and says what is open there', async () => {
  const { ask } = await withMerchant();
  expect(await ask('DELETE', `${path}/sandbox`)).toMatchObject({
    status: 200,
    json: { psp: 'sandbox', version: 1, open },
  });
  expect((await ask('DELETE', `${path}/stripe`)).status).toBe(404);
});

it.each([
  ['POST', `${path}`, { psp: 'square' }, 400],
  ['POST', `${path}`, { secret_key: 'sk_1' }, 400],
  ['POST', `${path}`, { psp: 'stripe', secret_key: 7 }, 400],
  ['POST', '/api/merchants/mer_none/psps', { psp: 'stripe' }, 404],
  ['POST', `${path}/stripe/test`, undefined, 404],
  ['POST', '/api/merchants/mer_none/psps/sandbox/test', undefined, 404],
] as const)('refuses %s %s %j', async (method, address, body, status) => {
  const { ask } = await withMerchant();
  expect((await ask(method, address, body)).status).toBe(status);
});

it('names the field that is no secret', async () => {
  const { ask } = await withMerchant();
  const reply = await ask('POST', path, { psp: 'stripe', secret_key: 'a\nb' });
  expect(fieldsOf(reply)).toEqual([
    'secret_key: Input should be 1 to 4096 characters without line breaks',
  ]);
});
