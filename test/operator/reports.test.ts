import { expect, it } from 'vitest';
import { operatorKit, unused } from '../kits/operator-server.ts';

it.each([
  '/api/overview',
  '/api/retry-map',
  '/api/uplift',
  '/api/experiments',
  '/api/payments',
  '/api/audit',
  '/api/dispute-ratios',
  '/api/endpoints',
])('GET %s asks the replica', async (path) => {
  const asked: string[] = [];
  const { ask } = operatorKit({
    db: unused('database'),
    reports: {
      async query({ name }) {
        asked.push(name);
        return [];
      },
    },
  });
  await ask('GET', path);
  expect(asked).not.toEqual([]);
});
