import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import type { ChargeRequest } from '../../../src/recovery/psp-ports.ts';
import { brokenPsp } from '../broken-psp.ts';
import { describeGateway, type GatewayUnderTest } from '../conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { call, folder, gatewayTo, ledgerText, methods, sandbox, seen } from './sandbox-kit.ts';

describeGateway('the sandbox PSP', startUnderTest);
describeOperations('the sandbox PSP', startUnderTest);

const request: ChargeRequest = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  idempotencyKey: 'key-1',
  amountMinor: 500,
  currency: 'EUR',
  paymentMethodId: 'pm_sandbox_success',
};

it('says that nothing was made, and why, when the API key is refused', async () => {
  const psp = await sandbox();
  const gateway = gatewayTo(psp.url, { key: 'wrong_key' });
  expect(await gateway.charge(request)).toEqual({
    kind: 'not_made',
    reason: 'HTTP 401: Send Authorization: Bearer and the API key.',
  });
  expect(await gateway.lookUp({ ...request, sentAt: new Date() })).toMatchObject({
    kind: 'unknown',
  });
});

it('passes the wait of an unavailable sandbox on', async () => {
  const psp = await sandbox();
  const unavailable = { ...request, paymentMethodId: 'pm_sandbox_unavailable' };
  expect(await gatewayTo(psp.url).charge(unavailable)).toMatchObject({
    kind: 'not_made',
    retryAfterMs: 60_000,
  });
});

it('knows nothing of a key that was used with other parameters', async () => {
  const psp = await sandbox();
  const gateway = gatewayTo(psp.url);
  await gateway.charge(request);
  expect(await gateway.charge({ ...request, amountMinor: 501 })).toMatchObject({ kind: 'unknown' });
});

it('keeps what the network said of a decline', async () => {
  const psp = await sandbox();
  const paymentMethodId = 'pm_sandbox_decline_51_mac_25--7';
  expect(await gatewayTo(psp.url).charge({ ...request, paymentMethodId })).toMatchObject({
    kind: 'declined',
    decline: {
      category: 'later',
      code: 'insufficient_funds',
      networkCode: '51',
      adviceCode: '25',
      waitMs: 24 * 3_600_000,
      message: 'Not sufficient funds. Retry after 24 hours.',
    },
  });
});

it('reads 82 as Visa does without advice, and as Mastercard does with it', async () => {
  const psp = await sandbox();
  const gateway = gatewayTo(psp.url);
  const ask = async (paymentMethodId: string) => {
    const result = await gateway.charge({
      ...request,
      idempotencyKey: paymentMethodId,
      paymentMethodId,
    });
    return result.kind === 'declined' ? result.decline.category : result.kind;
  };
  expect(await ask('pm_sandbox_decline_82')).toBe('fix_data');
  expect(await ask('pm_sandbox_decline_82_mac_00')).toBe('later');
  expect(await ask('pm_sandbox_decline_82_mac_03')).toBe('never');
});

it('does not take the answer of another charge for its own', async () => {
  const crossed = await brokenPsp((_request, response) => {
    response.end(
      JSON.stringify({ id: 'ch_1', status: 'succeeded', idempotency_key: 'another', data: [] }),
    );
  });
  expect(await gatewayTo(crossed.url).charge(request)).toMatchObject({ kind: 'unknown' });
});

async function startUnderTest(): Promise<GatewayUnderTest> {
  const ledgerDir = await folder();
  const logged: string[] = [];
  const log = { error: (...said: unknown[]) => void logged.push(inspect(said, { depth: 9 })) };
  const psp = await sandbox({ ledgerDir, log });
  return {
    gateway: gatewayTo(psp.url),
    gatewayAt: (baseUrl, deadlineMs) => gatewayTo(baseUrl, { deadlineMs }),
    refused: gatewayTo(psp.url, { key: 'wrong_key' }),
    methods,
    refusal: (message) => ({
      status: 400,
      text: JSON.stringify({ error: { type: 'invalid_request_error', message } }),
    }),
    async chargesOf(invoiceId) {
      const answer = await call(psp.url, 'GET', `/v1/charges?invoice=${invoiceId}`);
      return answer.body.data.map(seen);
    },
    everythingWritten: async () => (await ledgerText(ledgerDir)) + logged.join('\n'),
  };
}

it('does not find the charge of another merchant with the same key', async () => {
  const psp = await sandbox();
  const gateway = gatewayTo(psp.url);
  await gateway.charge(request);
  const other = { ...request, merchantId: 'mer_other', sentAt: new Date() };
  expect(await gateway.lookUp(other)).toEqual({ kind: 'not_found' });
});
