import { expect, it } from 'vitest';
import { publicDisputesUrl } from '../../../src/app/disputes/public-disputes-url.ts';

const config = { disputesUrl: undefined, host: '10.1.0.5', disputesPort: 8081 };

it('is what the setting says, whatever this process listens on', () => {
  const disputesUrl = 'https://disputes.example';
  expect(publicDisputesUrl({ ...config, disputesUrl }, 'http://10.1.0.5:9')).toBe(disputesUrl);
});

it('is else where this process listens', () => {
  expect(publicDisputesUrl(config, 'http://10.1.0.5:49152')).toBe('http://10.1.0.5:49152');
});

it('is else where another process with the same settings listens', () => {
  expect(publicDisputesUrl(config, undefined)).toBe('http://10.1.0.5:8081');
  expect(publicDisputesUrl({ ...config, host: '::1' }, undefined)).toBe('http://[::1]:8081');
});
