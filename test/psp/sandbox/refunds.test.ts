import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, charge, folder, gatewayTo, plain, sandbox } from './sandbox-kit.ts';

const refund = (url: string, id: string, body: object, key = 'refund-1') =>
  call(url, 'POST', `/v1/charges/${id}/refunds`, { headers: { 'idempotency-key': key }, body });

it('a charge is given back once for one key, also after a restart', async () => {
  const ledgerDir = await folder();
  const before = await sandbox({ ledgerDir });
  const { body: paid } = await charge(before.url);
  const first = await refund(before.url, paid.id, { amount: 500 });
  expect(first).toMatchObject({ status: 200, body: { charge: paid.id, amount: 500 } });
  await before.close();
  await appendFile(join(ledgerDir, 'refunds.ndjson'), '{"id":"re_sandbox_torn","cha');

  const after = await sandbox({ ledgerDir });
  expect((await refund(after.url, paid.id, { amount: 500 })).body).toEqual(first.body);
  expect((await call(after.url, 'GET', `/v1/charges/${paid.id}`)).body).toEqual({
    ...paid,
    amount_refunded: 500,
  });
});

it.each([
  ['more than is left', { amount: 1_500 }, 400],
  ['no whole number', { amount: 0.5 }, 400],
  ['nothing', {}, 400],
])('of %s is not given back', async (_what, body, status) => {
  const { url } = await sandbox();
  const { body: paid } = await charge(url);
  await refund(url, paid.id, { amount: 500 });
  expect(await refund(url, paid.id, body, 'refund-2')).toMatchObject({ status });
  expect((await call(url, 'GET', '/v1/charges')).body.data[0].amount_refunded).toBe(500);
});

it('a key means one amount, and a declined charge has nothing to give back', async () => {
  const { url } = await sandbox();
  const { body: paid } = await charge(url);
  await refund(url, paid.id, { amount: 500 });
  expect(await refund(url, paid.id, { amount: 501 })).toMatchObject({ status: 422 });
  const { body: declined } = await charge(url, { payment_method: 'pm_sandbox_decline_51' });
  expect(await refund(url, declined.id, { amount: 1 })).toMatchObject({ status: 400 });
  expect(await refund(url, 'ch_sandbox_none', { amount: 1 })).toMatchObject({ status: 404 });
});

it('a file of refunds with another line in it is refused', async () => {
  const ledgerDir = await folder();
  await writeFile(join(ledgerDir, 'refunds.ndjson'), '{"id":"re_1","charge":"ch_1"}\n');
  await expect(sandbox({ ledgerDir })).rejects.toMatchObject({ code: 'data_dir_unusable' });
});

it('a merchant is listed its own charges alone, with what was given back of them', async () => {
  const { url } = await sandbox();
  const { body: own } = await charge(url);
  await charge(url, { merchant: 'mer_2' });
  await refund(url, own.id, { amount: plain.amount });
  const page = await gatewayTo(url).listCharges({
    merchantId: 'mer_1',
    from: new Date(0),
    to: new Date(),
  });
  expect(page).toMatchObject({
    kind: 'page',
    charges: [{ pspTransactionId: own.id, refundedMinor: plain.amount }],
  });
  expect(page).not.toHaveProperty('charges.1');
});
