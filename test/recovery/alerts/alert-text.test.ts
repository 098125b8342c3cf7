import { describe, expect, it } from 'vitest';
import { alertText } from '../../../src/recovery/alerts/alert-text.ts';
import { invariantAlerts } from '../../../src/recovery/alerts/alerts-of.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const check = {
  name: 'one_open_attempt_per_invoice',
  promise: 'No invoice has two attempts on their way.',
};

describe('a ledger check that fails', () => {
  it('is told in the words of what it promises, with its name beside', () => {
    const [alert] = invariantAlerts([{ ...check, breaches: 1_200 }], at);
    expect(alert && alertText(alert)).toEqual({
      title: 'Ledger check fails: No invoice has two attempts on their way',
      detail: '1,200 breaches; the check is one_open_attempt_per_invoice',
    });
  });

  it('of one breach has the word of one', () => {
    const [alert] = invariantAlerts([{ ...check, breaches: 1 }], at);
    expect(alert && alertText(alert).detail).toMatch(/^1 breach;/);
  });
});
