import { describe, expect, it } from 'vitest';
import { choosePriors } from '../../../../src/domain/disputes/ce3/choose-priors.ts';
import {
  looksHashed,
  readDeviceId,
  readEmail,
  readFingerprint,
  readLogin,
} from '../../../../src/domain/disputes/ce3/element-formats.ts';
import { readInternetAddress } from '../../../../src/domain/disputes/ce3/internet-address.ts';
import { priorsMatureAt } from '../../../../src/domain/disputes/ce3/priors-mature-at.ts';
import { visaCe3 } from '../../../../src/domain/disputes/ce3/rule-sets.ts';
import { siftPriors } from '../../../../src/domain/disputes/ce3/sift-priors.ts';
import { usableElements } from '../../../../src/domain/disputes/ce3/usable-elements.ts';
import { disputedCharge, elements, priorCharge, priorPair } from '../../../kits/dispute-cases.ts';

describe('the priors of a dispute', () => {
  const [one] = priorPair();

  it('stand newest first, those of one moment by id, each once', () => {
    if (one === undefined) throw new Error('there is a prior');
    const older = { ...one, id: 'ch_older', processedAt: new Date(one.processedAt.getTime() - 1) };
    const ids = ['ch_c', 'ch_a', 'ch_b', 'ch_a'];
    const same = ids.map((id) => ({ ...one, id }));
    const { left } = siftPriors(visaCe3, disputedCharge(), [older, ...same]);
    expect(left.map(({ id }) => id)).toEqual(['ch_a', 'ch_b', 'ch_c', 'ch_older']);
    expect(siftPriors(visaCe3, disputedCharge(), [older, ...same.toReversed()]).left).toEqual(left);
  });

  it('are the two with the fewest gaps, and none of a gap that the PSP does not ask for', () => {
    const disputed = disputedCharge();
    const bare = priorCharge({ id: 'ch_bare', productDescription: ' ' });
    const whole = ['ch_1', 'ch_2'].map((id) => priorCharge({ id }));
    const values = usableElements(disputed, disputed.psp).values;
    const chosen = choosePriors({ ruleSet: visaCe3, disputed, values, priors: [bare, ...whole] });
    expect(chosen.priors.map(({ id }) => id)).toEqual(['ch_1', 'ch_2']);
  });
});

describe('elements', () => {
  it.each([
    ['0123456789abcdef0123456789abcdef', true],
    ['0123456789abcdef0123456789abcde', false],
    ['0123456789abcdef0123456789abcdeg', false],
    ['-0123456789abcdef0123456789abcde', false],
    ['ABCDEFGHIJKLMNOPQRSTUV==', true],
    ['ABCDEFGHIJKLMNOPQRSTUVW==', false],
    ['ABCDEFGHIJKLMNOPQRSTU===', false],
    ['ABCDEFGHIJKLMNOPQRSTUVWX', false],
    [' BCDEFGHIJKLMNOPQRSTUV==', false],
    ['ABCDEFGHIJKLMNOPQRSTUV=x', false],
  ])('%s looks hashed: %j', (text, expected) => {
    expect(looksHashed(text)).toBe(expected);
  });

  it('are as long as networks and PSPs want them', () => {
    expect(readDeviceId(` ${'d'.repeat(15)} `, 'stripe')).toEqual({
      kind: 'usable',
      comparable: 'd'.repeat(15),
    });
    expect(readDeviceId('d'.repeat(14), 'stripe')).toMatchObject({ kind: 'refused' });
    expect(readDeviceId('d'.repeat(5_000), 'checkout')).toMatchObject({
      why: expect.stringContaining('longer'),
    });
    expect(readFingerprint('f'.repeat(20))).toMatchObject({ kind: 'usable' });
    expect(readFingerprint(`${'f'.repeat(19)} `)).toMatchObject({ kind: 'refused' });
    expect(readLogin(' ', 'stripe')).toMatchObject({ why: 'it is empty' });
    expect(readLogin(' Jane ', 'stripe')).toEqual({ kind: 'usable', comparable: 'jane' });
  });

  it.each([
    ['a@b', true],
    [' A@B.example ', true],
    ['a@', false],
    ['@b', false],
    ['a b@c', false],
    ['a@b@c', false],
    ['a@b c', false],
  ])('an e-mail address is %j: %j', (text, expected) => {
    expect(readEmail(text).kind === 'usable').toBe(expected);
  });

  it('of an address are six or eight groups in full, or fewer with two colons once', () => {
    expect(readInternetAddress('1:2:3:4:5:6:7:8')?.bits).toBe(128);
    expect(readInternetAddress('1:2:3:4:5:6:1.2.3.4')?.value).toBe(
      0x1_0002_0003_0004_0005_0006_0102_0304n,
    );
    for (const text of [
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '::1:2:3:4:5:6:7:8',
      '1.2.3.4::',
      '::12345',
      '::x1',
      '::1x',
    ]) {
      expect(readInternetAddress(text), text).toBeUndefined();
    }
  });

  it('taken from an earlier checkout are judged by where they come from', () => {
    const inherited = (change: object, names: readonly ('email' | 'login')[]) => {
      const charge = { ...disputedCharge(), initiatedBy: 'customer' as const };
      const changed = { ...elements, ...change, inherited: names };
      return usableElements({ ...charge, elements: changed }, 'stripe').refused.map(
        ({ element }) => element,
      );
    };
    expect(inherited({ login: 'jane', emailIsLogin: false }, ['email'])).not.toContain('login');
    expect(inherited({ login: 'jane' }, ['login'])).toContain('login');
  });
});

it('a charge of a window that ends today has none any more', () => {
  const at = (day: string) => new Date(`${day}T15:30:00Z`);
  const chargedAt = ['2026-01-01', '2026-02-01'].map(at);
  const maturity = (now: string) => priorsMatureAt({ ruleSet: visaCe3, chargedAt, now: at(now) });
  expect(maturity('2026-12-31')).toMatchObject({ kind: 'matures', until: new Date('2027-01-01') });
  expect(maturity('2027-01-01').kind).toBe('too_few');
});

it('of windows that begin together the longest is told', () => {
  const at = (day: string) => new Date(`${day}T15:30:00Z`);
  const chargedAt = ['2026-01-01', '2026-02-01', '2026-02-01'].map(at);
  expect(priorsMatureAt({ ruleSet: visaCe3, chargedAt, now: at('2026-02-01') })).toEqual({
    kind: 'matures',
    at: new Date('2026-06-01'),
    until: new Date('2027-02-01'),
  });
});
