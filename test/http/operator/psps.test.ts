import { expect, it } from 'vitest';
import { fieldsOf, newMerchant, operatorKit } from '../../kits/operator-server.ts';

async function withMerchant() {
  const kit = operatorKit();
  await kit.ask('POST', '/api/merchants', newMerchant);
  return kit;
}

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
  });
  const { psp, ...credentials } = body;
  expect(api.calls.at(-1)?.input).toEqual({
    merchantId: 'mer_1',
    connection: { psp, credentials },
  });
});

it('tests a saved connection, and says what is wrong with it', async () => {
  const { ask } = await withMerchant();
  expect((await ask('POST', `${path}/sandbox/test`)).json).toMatchObject({
    result: 'refused',
    reason: 'The key was revoked.',
  });
});

it('forgets a connection', async () => {
  const { ask } = await withMerchant();
  expect((await ask('DELETE', `${path}/sandbox`)).status).toBe(204);
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
