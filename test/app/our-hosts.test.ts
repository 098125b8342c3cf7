import { expect, it } from 'vitest';
import { ourHosts } from '../../src/app/our-hosts.ts';
import { parseConfig } from '../../src/config.ts';

it('is asked by HOST, the public addresses and what else is allowed', () => {
  const config = parseConfig({
    HOST: 'recoup.internal',
    DISPUTES_URL: 'https://disputes.example.com/recoup',
    OPERATOR_URL: 'https://recoup.example.com:8443',
    ALLOWED_HOSTS: 'api.example.com, *.svc.cluster.local',
  });
  expect(ourHosts(config)).toEqual([
    'recoup.internal',
    'api.example.com',
    '*.svc.cluster.local',
    'disputes.example.com',
    'recoup.example.com',
  ]);
});

it('takes no names that are none', () => {
  for (const names of ['https://a.example', 'a b', '*', '*.', 'a.example:80']) {
    expect(() => parseConfig({ ALLOWED_HOSTS: names })).toThrow('ALLOWED_HOSTS');
  }
});
