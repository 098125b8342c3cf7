import { expect, it } from 'vitest';
import { braintreeDecline } from '../../../src/psp/braintree/declines.ts';

it('keeps what the network and Braintree said of a processor decline', () => {
  expect(
    braintreeDecline({
      status: 'processor_declined',
      processorResponseCode: '2001',
      processorResponseText: 'Insufficient Funds',
      processorResponseType: 'soft_declined',
      networkResponseCode: '51',
      networkResponseText: 'Not sufficient funds',
      merchantAdviceCode: '24',
      creditCard: { cardType: 'MasterCard' },
    }),
  ).toMatchObject({
    category: 'later',
    code: '2001',
    network: 'mastercard',
    networkCode: '51',
    adviceCode: '24',
    waitMs: 3_600_000,
    message: 'Not sufficient funds',
  });
});

it.each([
  [{ status: 'gateway_rejected', gatewayRejectionReason: 'fraud' }, 'fraud'],
  [{ status: 'gateway_rejected', gatewayRejectionReason: '' }, 'gateway_rejected'],
  [{ status: 'settlement_declined', processorSettlementResponseCode: '4001' }, '4001'],
  [{ status: 'settlement_declined', processorResponseCode: '1000' }, 'settlement_declined'],
  [{ status: 'authorization_expired', processorResponseCode: '1000' }, 'authorization_expired'],
  [{ status: 'failed', processorResponseCode: '3000' }, '3000'],
  [{ status: 'failed' }, 'failed'],
])('takes the code of %o', (transaction, code) => {
  expect(braintreeDecline(transaction).code).toBe(code);
});

it.each([
  [{ creditCard: { cardType: 'Visa' } }, 'visa'],
  [{ creditCard: { cardType: 'American Express' } }, 'amex'],
  [{ creditCard: {}, applePayCard: { cardType: 'Apple Pay - Visa' } }, 'visa'],
  [{ androidPayCard: { sourceCardType: 'MasterCard', cardType: 'x' } }, 'mastercard'],
  [{ creditCard: { cardType: 'JCB' } }, undefined],
  [{}, undefined],
])('reads the network of %o', (card, network) => {
  expect(braintreeDecline({ status: 'processor_declined', ...card }).network).toBe(network);
});

it('takes the words that the processor added before all others', () => {
  const said = { networkResponseText: 'Decline', processorResponseText: 'Declined' };
  const more = { ...said, additionalProcessorResponse: '05 : NO FUNDS' };
  expect(braintreeDecline({ status: 'processor_declined', ...more }).message).toBe('05 : NO FUNDS');
});
