import { expect, test } from 'vitest';
import { takeAddress } from '../../../src/recovery/messages/customer-address.ts';
import { failedEvent } from '../../kits/billing-events.ts';

const reported = (more: object) => {
  const event = failedEvent({ invoiceId: 'in_1', methods: ['pm_1'] });
  return takeAddress({ ...event, customer: { id: 'cus_1', ...more } });
};

test.each([
  ['a.b@example.com', 'es-419', { email: 'a.b@example.com', language: 'es' }],
  [' a@bücher.example ', 'english', { email: 'a@bücher.example' }],
])('the customer of %j who speaks %j is written to', (email, language, address) => {
  const taken = reported({ email, language });
  expect(taken.address).toEqual(address);
  expect(taken.body.customer).toEqual({ id: 'cus_1' });
});

test('an address that a mail library reads as another one is dropped as it comes', () => {
  const { address, body } = reported({ email: 'a(b)@example.com', language: 'es' });
  expect([address, body.customer]).toEqual([undefined, { id: 'cus_1' }]);
});
