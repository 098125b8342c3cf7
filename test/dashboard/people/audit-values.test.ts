import { expect, test } from 'vitest';
import { auditValues } from '../../../dashboard/src/pages/people/audit-values.ts';
import { actKindText, actText } from '../../../dashboard/src/pages/people/audit-words.ts';

test('what was changed stands by its name in words, before and after, without what stayed', () => {
  const policy = { kind: 'fixed', windowDays: 28, fixedDays: [1, 3], holdoutShare: 0.1 };
  const values = auditValues({
    detail: { changed: ['policy', 'retry_status_url'] },
    before: { policy, retry_status_url: null },
    after: {
      policy: { ...policy, windowDays: 14, fixedDays: [], holdoutShare: 0.125 },
      retry_status_url: 'https://acme.example/retry',
    },
  });
  expect(values).toEqual([
    { name: 'Policy: window days', before: '28', after: '14' },
    { name: 'Policy: fixed days', before: '1, 3', after: 'none' },
    { name: 'Policy: holdout share', before: '10.0%', after: '12.5%' },
    { name: 'Retry status URL', before: 'none', after: 'https://acme.example/retry' },
  ]);
});

test('what was done is told without braces, in the words and times of the page', () => {
  const values = auditValues({
    detail: {
      credential_id: 'cred_1',
      overlap_ms: 86_400_000,
      end_of_dunning: false,
      auth: 'api_key',
      expires_at: '2031-06-02T09:30:00.000Z',
      changed: ['webhook_url'],
      counts: { payments: 1_200, skipped: [{ reason: 'frozen', count: 2 }] },
    },
  });
  expect(values.map(({ name, after }) => `${name}: ${after}`)).toEqual([
    'Credential ID: cred_1',
    'Overlap: 1 d',
    'End of dunning: no',
    'Authentication: api key',
    expect.stringMatching(/^Expires: \w+, Jun 2, /),
    'Changed: webhook URL',
    'Counts: payments: 1,200',
    'Counts: skipped: reason frozen, count 2',
  ]);
});

test.each([
  ['merchant.changed', 'Merchant changed'],
  ['psp.connected', 'Processor connected'],
  ['what_if.requested', 'Backtest requested'],
  ['delivery.replayed', 'Webhook sent again'],
])('%s is said as %s', (action, words) => {
  expect(actText(action)).toBe(words);
});

test('kinds of acts have names too', () => {
  expect([actKindText('psp.'), actKindText('unheard_of.')]).toEqual(['Processor', 'Unheard of']);
});
