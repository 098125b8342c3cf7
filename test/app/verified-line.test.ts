import { expect, test } from 'vitest';
import { verifiedLine } from '../../src/app/verified-line.ts';

const common = { deduplicationId: 'd', receivedAt: new Date(0) };

test.each([
  [
    'retry_result',
    { invoice_id: 'inv_1', success: true, amount_collected: 42.5, currency: 'USD' },
    '[demo merchant] webhook verified: retry_result of inv_1: recovered 42.5 USD\n',
  ],
  [
    'retry_result',
    { invoice_id: 'inv_1', success: false, amount_collected: 42.5, currency: 'USD' },
    '[demo merchant] webhook verified: retry_result of inv_1: declined 42.5 USD\n',
  ],
  [
    'end_of_dunning',
    { invoice_id: 'inv_1', recovered: false },
    '[demo merchant] webhook verified: end_of_dunning of inv_1: recovery ended, not recovered\n',
  ],
  [
    'end_of_dunning',
    { invoice_id: 'inv_1\n\u001b[2Jx', recovered: false },
    '[demo merchant] webhook verified: end_of_dunning of inv_1??[2Jx: recovery ended, not recovered\n',
  ],
  ['test', { type: 'test' }, '[demo merchant] webhook verified: a test\n'],
])('a %s is told in one line', (type, event, line) => {
  expect(verifiedLine({ ...common, type, event })).toBe(line);
});
