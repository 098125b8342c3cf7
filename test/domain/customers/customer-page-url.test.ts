import { expect, test } from 'vitest';
import { isCustomerPageUrl } from '../../../src/domain/customers/customer-page-url.ts';

test.each([
  'https://acme.example/pay/{token}',
  'https://acme.example/pay?token={token}&from=mail',
  'https://acme.example/pay#{token}',
  'http://localhost:3000/pay/{token}',
])('%s may be a page for customers', (url) => {
  expect(isCustomerPageUrl(url)).toBe(true);
});

test.each([
  'https://acme.example/pay',
  'https://acme.example/{token}/{token}',
  'https://{token}.example/pay',
  'http://acme.example/pay/{token}',
  'https://user:password@acme.example/{token}',
  'javascript:alert({token})',
  '{token}',
])('%s may not', (url) => {
  expect(isCustomerPageUrl(url)).toBe(false);
});
