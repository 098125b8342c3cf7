import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { normaliseDecline } from '../../../src/domain/declines/normalise-decline.ts';
import type { CardAttempt } from '../../../src/domain/network-rules/card-attempt.ts';
import {
  isHardDecline,
  keptAdvice,
  maxWindowDays,
} from '../../../src/domain/network-rules/hard-declines.ts';
import { judgeCharge } from '../../../src/domain/network-rules/judge-charge.ts';
import { mastercardAdvice } from '../../../src/domain/network-rules/mastercard-advice.ts';
import { ruledNetworks } from '../../../src/domain/network-rules/ruled-network.ts';
import { visaCategories } from '../../../src/domain/network-rules/visa-categories.ts';

const at = new Date('2026-03-01T12:00:00Z');

/** Networks that refuse a card this long after its only charge was declined so. */
function refusedAfter(days: number, decline: Pick<CardAttempt, 'networkCode' | 'adviceCode'>) {
  const attempt: CardAttempt = {
    id: 'c_1',
    invoiceId: 'in_1',
    at,
    initiator: 'mit',
    credential: 'pan',
    outcome: 'declined',
    ...decline,
  };
  return ruledNetworks.filter((network) => {
    // A direct debit's rules are of its one invoice, which no card's history forgets.
    if (network === 'ach' || network === 'sepa_debit') return false;
    const proposed = {
      network,
      invoiceId: 'in_2',
      at: addMs(at, days * dayMs),
      initiator: 'mit',
      credential: 'pan',
      amountMinor: 1_000,
      currency: 'USD',
    } as const;
    return judgeCharge([attempt], proposed).kind === 'blocked';
  });
}

describe('a decline that some network takes for the last word on a card', () => {
  const declines = [
    ...Object.keys(mastercardAdvice).map((adviceCode) => ({ networkCode: '05', adviceCode })),
    ...Object.keys(visaCategories).map((networkCode) => ({ networkCode })),
  ];

  it.each(declines)('is kept beyond all windows: %j', (decline) => {
    const isRefused = refusedAfter(maxWindowDays + 1, decline).length > 0;
    expect(isRefused && !isHardDecline(decline)).toBe(false);
  });

  it.each(['03', '21', '22', '40', '41'])('is one with the advice %s', (adviceCode) => {
    expect(refusedAfter(maxWindowDays + 1, { adviceCode })).toContain('mastercard');
    expect(isHardDecline({ adviceCode })).toBe(true);
    expect(isHardDecline({ adviceCode: ` ${Number(adviceCode)}` })).toBe(true);
  });

  it.each(['14', '43', ' 4 ', 'r1'])('is one with the code "%s"', (networkCode) => {
    expect(isHardDecline({ networkCode })).toBe(true);
  });

  it('is none that every network forgets', () => {
    expect(isHardDecline({})).toBe(false);
    expect(isHardDecline({ networkCode: '51', adviceCode: '01' })).toBe(false);
    expect(isHardDecline({ networkCode: '51', adviceCode: '99' })).toBe(false);
  });
});

describe('the advice that a card’s history keeps', () => {
  const said = (psp: 'checkout' | 'stripe', pspAdvice: string, adviceCode?: string) =>
    normaliseDecline({
      psp,
      pspAdvice,
      network: 'visa',
      ...(adviceCode !== undefined && { adviceCode }),
    });

  it.each([
    ['Checkout.com’s recommendation', said('checkout', '03')],
    ['Stripe’s advice', said('stripe', 'do_not_try_again')],
    ['either beside a milder advice of the network', said('checkout', '03', '24')],
  ])('is "do not try again" by %s', (_whose, decline) => {
    const adviceCode = keptAdvice(decline);
    expect(adviceCode).toBe('03');
    expect(isHardDecline(decline)).toBe(true);
    expect(refusedAfter(maxWindowDays + 1, { adviceCode: adviceCode ?? '' })).toContain('visa');
  });

  it('is the network’s own where the PSP advises nothing so final', () => {
    expect(keptAdvice(said('checkout', '02', '24'))).toBe('24');
    expect(keptAdvice(said('checkout', '03', '21'))).toBe('21');
    expect(keptAdvice(said('stripe', 'try_again_later'))).toBeUndefined();
  });
});
