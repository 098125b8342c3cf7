import { expect, it } from 'vitest';
import { describeAcceptance } from '../acceptance-conformance.ts';
import { adyen, gatewayTo } from './adyen-kit.ts';

describeAcceptance('Adyen', async () => {
  const server = await adyen();
  const account = gatewayTo(server.url, server.credentials);
  return { account, disputes: server.disputes, hasRecord: false };
});

it('what Adyen does not take, it says in words that are kept, without the digits of a card', async () => {
  const server = await adyen();
  const { acceptance } = gatewayTo(server.url, server.credentials);
  if (acceptance.kind !== 'api') throw new Error('Adyen has an API for this');
  const pspDisputeId = 'dsp_of_4111111111111111';
  expect(await acceptance.accept({ pspDisputeId, attempt: 'one' })).toEqual({
    kind: 'failed',
    reason: 'Adyen did not take the acceptance: HTTP 200 Dispute dsp_of_************1111 not found',
  });
});
