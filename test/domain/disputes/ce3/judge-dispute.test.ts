import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeDispute, ruleSetFor } from '../../../../src/domain/disputes/ce3/judge-dispute.ts';
import {
  mastercardFirstPartyTrust,
  visaCe3,
} from '../../../../src/domain/disputes/ce3/rule-sets.ts';
import type {
  DisputedTransaction,
  PriorTransaction,
} from '../../../../src/domain/disputes/ce3/transactions.ts';
import type { RuleId, Verdict } from '../../../../src/domain/disputes/ce3/verdict.ts';
import { normaliseReason } from '../../../../src/domain/disputes/normalise/normalise-reason.ts';
import type { Psp } from '../../../../src/domain/psps.ts';
import {
  daysBeforeCharge,
  disputedAt,
  disputedCharge,
  elements,
  priorCharge,
  priorPair,
  processedAt,
} from '../../../kits/dispute-cases.ts';

const dayMs = 86_400_000;

function judge(disputed: DisputedTransaction, candidates: readonly PriorTransaction[]): Verdict {
  return judgeDispute(visaCe3, { disputed, candidates });
}

function ruleOf(verdict: Verdict, id: RuleId) {
  const rule = verdict.rules.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return rule;
}

/** The same charges at another PSP, with other elements on all three. */
function caseAt(psp: Psp, changed: Partial<typeof elements>) {
  const changes = { psp, elements: { ...elements, ...changed } };
  return judge(disputedCharge(changes), priorPair(changes));
}

test('two priors with the same IP address and device make a dispute eligible', () => {
  const verdict = judge(disputedCharge(), priorPair());
  expect(verdict.rules.filter(({ result }) => result !== 'pass')).toEqual([]);
  expect(verdict.eligible).toBe(true);
  expect(verdict.matching).toEqual(['ip', 'device', 'email']);
  expect(verdict.priors.map(({ id }) => id)).toEqual(['ch_prior_1', 'ch_prior_2']);
  expect(verdict.ruleSet).toMatchObject({ version: '2026.11.2', unconfirmed: false });
});

describe('the window', () => {
  // The dispute is four days after the charge, so that the two anchors differ.
  const gapDays = 4;
  test.each([
    [119, false],
    [120, true],
    [364 - gapDays, true],
    [365 - gapDays, false],
  ])('a prior %i days before the charge: %s', (days, eligible) => {
    const prior = priorCharge({ id: 'ch_prior_2', processedAt: daysBeforeCharge(days) });
    const verdict = judge(disputedCharge(), [priorCharge(), prior]);
    expect(verdict.eligible).toBe(eligible);
    expect(ruleOf(verdict, 'prior_window').result).toBe(eligible ? 'pass' : 'fail');
  });

  test.each([
    [119, false],
    [120, true],
    [364, true],
    [365, false],
  ])('a prior %i days before both dates: %s', (days, eligible) => {
    const prior = priorCharge({ id: 'ch_prior_2', processedAt: daysBeforeCharge(days) });
    const disputed = disputedCharge({ disputedAt: processedAt });
    expect(judge(disputed, [priorCharge(), prior]).eligible).toBe(eligible);
  });

  test.each([
    [119, false],
    [120, true],
    [364, true],
    [365, false],
  ])('a prior %i days before a dispute that is older than its processing: %s', (days, eligible) => {
    // An authorisation may be disputed before it is processed; the nearer anchor decides then.
    const disputed = disputedCharge({ processedAt: disputedAt, disputedAt: processedAt });
    const near = days < 200;
    const anchor = near ? processedAt : disputedAt;
    const at = new Date(anchor.getTime() - days * dayMs);
    const prior = priorCharge({ id: 'ch_prior_2', processedAt: at });
    expect(judge(disputed, [priorCharge(), prior]).eligible).toBe(eligible);
  });

  test('a prior outside it is named with its days', () => {
    const prior = priorCharge({ id: 'ch_prior_2', processedAt: daysBeforeCharge(119) });
    expect(ruleOf(judge(disputedCharge(), [priorCharge(), prior]), 'prior_window').detail).toBe(
      '1 of 2 hold; ch_prior_2: 119 days before the charge, 123 before the dispute',
    );
  });

  test('days are counted by the UTC calendar, whatever the hour', () => {
    const early = new Date('2026-02-01T23:59:59Z');
    const prior = priorCharge({ id: 'ch_prior_2', processedAt: early });
    const disputed = disputedCharge({ processedAt: new Date('2026-06-01T00:00:01Z') });
    expect(judge(disputed, [priorCharge(), prior]).eligible).toBe(true);
  });
});

describe('priors', () => {
  test.each([
    ['not paid', { isPaid: false }],
    ['disputed', { isDisputed: true }],
    ['reported as fraud', { hasFraudReport: true }],
    ['a validation charge', { isValidation: true }],
  ])('one that is %s is none', (why, changes) => {
    const bad = priorCharge({ id: 'ch_prior_2', ...changes });
    const verdict = judge(disputedCharge(), [priorCharge(), bad]);
    expect(verdict.eligible).toBe(false);
    expect(ruleOf(verdict, 'prior_standing')).toMatchObject({
      result: 'fail',
      detail: `1 of 2 hold; ch_prior_2: ${why}`,
    });
  });

  test('one of another card is none, nor is the disputed charge, nor one charge twice', () => {
    const other = judge(disputedCharge(), priorPair({ credential: 'fp_2' }));
    expect(ruleOf(other, 'prior_count')).toMatchObject({ result: 'fail', detail: '0 there' });
    const twice = judge(disputedCharge(), [priorCharge(), priorCharge()]);
    expect(ruleOf(twice, 'prior_count').result).toBe('fail');
    const self = judge(disputedCharge(), [priorCharge(), priorCharge({ id: 'ch_disputed' })]);
    expect(ruleOf(self, 'prior_count').detail).toBe('1 there');
  });

  test('without any, rules about them have nothing to say, and pass nothing', () => {
    const verdict = judge(disputedCharge(), []);
    const resultsOf = (result: string) =>
      verdict.rules.filter((rule) => rule.result === result).map(({ id }) => id);
    expect(resultsOf('pass')).toEqual(['network_reason', 'kind_of_goods', 'product_descriptions']);
    expect(resultsOf('fail')).toEqual(['prior_count']);
    expect(ruleOf(verdict, 'prior_window')).toMatchObject({
      result: 'missing',
      fix: 'Find two priors first.',
    });
  });

  test('Stripe wants its own; others take those of another PSP with their ARN', () => {
    expect(ruleOf(judge(disputedCharge(), priorPair({ psp: 'adyen' })), 'prior_psp').result).toBe(
      'fail',
    );
    const disputed = disputedCharge({ psp: 'adyen' });
    expect(judge(disputed, priorPair()).eligible).toBe(true);
    const { arn: _, ...bare } = priorCharge();
    const verdict = judge(disputed, [bare, priorCharge({ id: 'ch_prior_2' })]);
    expect(verdict.eligible).toBe(false);
    expect(ruleOf(verdict, 'prior_references')).toMatchObject({
      result: 'missing',
      detail: 'no ARN for ch_prior_1',
    });
  });

  test('the pair that shares most is chosen, before newer ones that share less', () => {
    const weak = priorCharge({
      id: 'ch_new',
      processedAt: daysBeforeCharge(130),
      elements: { ...elements, deviceId: 'another-device-0123' },
    });
    const verdict = judge(disputedCharge(), [weak, ...priorPair()]);
    expect(verdict.priors.map(({ id }) => id)).toEqual(['ch_prior_1', 'ch_prior_2']);
  });

  test('another descriptor is refused, an unknown one only where Checkout.com asks for it', () => {
    const other = judge(disputedCharge(), priorPair({ descriptor: 'OTHER SHOP' }));
    expect(ruleOf(other, 'descriptor').result).toBe('fail');
    const unknown = (psp: Psp) =>
      ruleOf(judge(disputedCharge({ psp, descriptor: '' }), priorPair({ psp })), 'descriptor');
    expect(unknown('checkout')).toMatchObject({ result: 'missing', fix: expect.any(String) });
    const { id } = disputedCharge();
    expect(unknown('stripe')).toMatchObject({
      result: 'pass',
      detail: `not compared: unknown of ${id}`,
    });
    expect(ruleOf(judge(disputedCharge(), priorPair()), 'descriptor').detail).toBe('2 of 2 hold');
  });
});

describe('elements', () => {
  test.each<[string, Psp, Partial<typeof elements>, boolean]>([
    [
      'IP address and e-mail at Stripe',
      'stripe',
      { ip: '81.2.69.142', email: 'a@b.example' },
      true,
    ],
    [
      'IP address and e-mail elsewhere',
      'adyen',
      { ip: '81.2.69.142', email: 'a@b.example' },
      false,
    ],
    [
      'IP address and e-mail as login elsewhere',
      'adyen',
      { ip: '81.2.69.142', email: 'a@b.example', emailIsLogin: true },
      true,
    ],
    ['an IP address alone', 'stripe', { ip: '81.2.69.142' }, false],
    [
      'e-mail and login without an anchor',
      'stripe',
      { email: 'a@b.example', login: 'jane' },
      false,
    ],
    [
      'device id and fingerprint, which are one',
      'stripe',
      { deviceId: 'device-0123456789', deviceFingerprint: 'fingerprint-0123456789' },
      false,
    ],
    [
      'device id, fingerprint and IP address',
      'stripe',
      {
        ip: '81.2.69.142',
        deviceId: 'device-0123456789',
        deviceFingerprint: 'fingerprint-0123456789',
      },
      true,
    ],
    ['a private IP address', 'stripe', { ip: '192.168.1.1', email: 'a@b.example' }, false],
    ['a private IPv6 address', 'stripe', { ip: 'fd00::1', email: 'a@b.example' }, false],
    ['a public IPv6 address', 'stripe', { ip: '2a00:1450::8a', email: 'a@b.example' }, true],
    [
      'a hashed device id',
      'stripe',
      { deviceId: 'd41d8cd98f00b204e9800998ecf8427e', email: 'a@b.example' },
      false,
    ],
    [
      'a device id of 15 characters',
      'stripe',
      { deviceId: 'abcdefghijklmno', email: 'a@b.example' },
      true,
    ],
    [
      'a device id of 14 characters',
      'stripe',
      { deviceId: 'abcdefghijklmn', email: 'a@b.example' },
      false,
    ],
    [
      'a login of 50 characters at Checkout.com',
      'checkout',
      { ip: '81.2.69.142', login: 'x'.repeat(50) },
      true,
    ],
    [
      'a login of 51 characters at Checkout.com',
      'checkout',
      { ip: '81.2.69.142', login: 'x'.repeat(51) },
      false,
    ],
    [
      'a login of 51 characters elsewhere',
      'braintree',
      { ip: '81.2.69.142', login: 'x'.repeat(51) },
      true,
    ],
  ])('%s', (_, psp, named, eligible) => {
    const { ip: _ip, deviceId: _device, email: _email, ...bare } = elements;
    const changes = { psp, elements: { ...bare, ...named } };
    expect(judge(disputedCharge(changes), priorPair(changes)).eligible).toBe(eligible);
  });

  test('Checkout.com has no field for a fingerprint', () => {
    const named = { ...elements, deviceFingerprint: 'fingerprint-0123456789' };
    const { deviceId: _, ...bare } = named;
    const at = (psp: Psp) => {
      const changes = { psp, elements: bare };
      return judge(disputedCharge(changes), priorPair(changes));
    };
    expect(at('checkout').matching).toEqual(['ip']);
    expect(at('adyen').matching).toEqual(['ip', 'device']);
  });

  test('an address that lacks a field does not count', () => {
    const shippingAddress = {
      line1: 'High Street 1',
      city: 'Leeds',
      postalCode: 'LS1',
      country: 'GB',
    };
    const { email: _, deviceId: _id, ...bare } = elements;
    const at = (psp: Psp) => {
      const changes = { psp, elements: { ...bare, shippingAddress } };
      return judge(disputedCharge(changes), priorPair(changes));
    };
    expect(at('braintree').eligible).toBe(true);
    // Stripe wants the state or region too.
    expect(ruleOf(at('stripe'), 'two_elements').detail).toContain('it lacks state');
  });

  test('an id that one prior shares and a fingerprint that the other shares are nothing', () => {
    const both = { ...elements, deviceFingerprint: 'fingerprint-0123456789', ip: '81.2.69.1' };
    const verdict = judge(disputedCharge({ elements: both }), [
      priorCharge({
        elements: { ...both, deviceFingerprint: 'another-fingerprint-01', ip: '81.2.69.2' },
      }),
      priorCharge({
        id: 'ch_prior_2',
        elements: { ...both, deviceId: 'another-device-0123', ip: '81.2.69.2' },
      }),
    ]);
    expect(verdict.matching).toEqual(['email']);
    expect(verdict.eligible).toBe(false);
  });

  test('a renewal may use the IP address of the first charge, a checkout may not', () => {
    const inherited = { elements: { ...elements, inherited: ['ip', 'email'] as const } };
    const { deviceId: _, ...bare } = inherited.elements;
    const as = (initiatedBy: 'customer' | 'merchant') => {
      const changes = { elements: bare, initiatedBy };
      return judge(disputedCharge(changes), priorPair(changes));
    };
    expect(as('merchant').eligible).toBe(true);
    expect(as('customer').eligible).toBe(false);
  });

  test('a renewal may use no IP address of another checkout of the customer, but the e-mail address', () => {
    const changes = {
      initiatedBy: 'merchant' as const,
      isOtherMandate: true,
      elements: { ...elements, inherited: ['ip', 'email'] as const },
    };
    const { matching, rules } = judge(disputedCharge(changes), priorPair(changes));
    expect(matching).toEqual(['device', 'email']);
    expect(rules.find(({ id }) => id === 'two_elements')?.detail).toContain('another checkout');
  });

  test('a device cannot be inherited', () => {
    const changes = {
      initiatedBy: 'merchant' as const,
      elements: { ...elements, inherited: ['device_id'] as const },
    };
    const verdict = judge(disputedCharge(changes), priorPair(changes));
    expect(verdict.matching).toEqual(['ip', 'email']);
  });

  test('the verdict repeats no value of the customer', () => {
    const verdict = caseAt('adyen', { ip: '10.1.2.3' });
    const words = JSON.stringify(verdict.rules);
    for (const value of ['10.1.2.3', 'jane@example.com', 'device-0123456789']) {
      expect(words).not.toContain(value);
    }
  });
});

describe('what has to be told', () => {
  test('descriptions of the disputed charge and of each prior', () => {
    const verdict = judge(disputedCharge({ productDescription: ' ' }), priorPair());
    expect(ruleOf(verdict, 'product_descriptions')).toMatchObject({
      result: 'missing',
      detail: 'missing for ch_disputed',
      fix: expect.any(String),
    });
  });

  test('Stripe wants to know whether goods or services were sold', () => {
    const { merchandiseOrServices: _, ...bare } = disputedCharge();
    expect(ruleOf(judge(bare, priorPair()), 'kind_of_goods').result).toBe('missing');
    expect(judge({ ...bare, psp: 'adyen' }, priorPair()).eligible).toBe(true);
  });
});

describe('the rule set', () => {
  test('another reason or network fails', () => {
    const reason = normaliseReason('visa', '13.1');
    if (reason === undefined) throw new Error('13.1 is a reason of Visa');
    const verdict = judge(disputedCharge({ reason }), priorPair());
    expect(ruleOf(verdict, 'network_reason').result).toBe('fail');
    expect(verdict.eligible).toBe(false);
  });

  test("Mastercard's is its own, and says that it is unconfirmed", () => {
    const reason = normaliseReason('mc', '37');
    if (reason === undefined) throw new Error('37 is a reason of Mastercard');
    const disputed = disputedCharge({ reason });
    expect(ruleSetFor(disputed)).toBe(mastercardFirstPartyTrust);
    const verdict = judgeDispute(ruleSetFor(disputed), { disputed, candidates: priorPair() });
    expect(verdict.eligible).toBe(true);
    expect(verdict.ruleSet.unconfirmed).toBe(true);
  });
});

describe('properties', () => {
  const candidate = fc
    .record({
      id: fc.integer({ min: 0, max: 30 }),
      days: fc.integer({ min: 100, max: 380 }),
      ip: fc.constantFrom('81.2.69.142', '81.2.69.143', '10.0.0.1', undefined),
      deviceId: fc.constantFrom('device-0123456789', 'device-9876543210', undefined),
      isDisputed: fc.boolean(),
      productDescription: fc.constantFrom('Acme Pro', ''),
    })
    .map(({ id, days, ip, deviceId, isDisputed, productDescription }) =>
      priorCharge({
        id: `ch_${id}`,
        processedAt: daysBeforeCharge(days),
        isDisputed,
        productDescription,
        elements: {
          emailIsLogin: false,
          inherited: [],
          email: 'jane@example.com',
          ...(ip !== undefined && { ip }),
          ...(deviceId !== undefined && { deviceId }),
        },
      }),
    );
  const candidates = fc.uniqueArray(candidate, { selector: ({ id }) => id, maxLength: 12 });

  test('the order of the candidates never matters', () => {
    fc.assert(
      fc.property(
        candidates.chain((list) =>
          fc.tuple(
            fc.constant(list),
            fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
          ),
        ),
        ([list, shuffled]) => {
          expect(judge(disputedCharge(), shuffled)).toEqual(judge(disputedCharge(), list));
        },
      ),
    );
  });

  test('no further prior makes an eligible dispute ineligible', () => {
    fc.assert(
      fc.property(candidates, candidate, (list, extra) => {
        const eligible = [...priorPair(), ...list];
        expect(judge(disputedCharge(), eligible).eligible).toBe(true);
        expect(judge(disputedCharge(), [...eligible, { ...extra, id: 'ch_extra' }]).eligible).toBe(
          true,
        );
      }),
    );
  });
});
