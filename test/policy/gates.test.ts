import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs } from '../../src/domain/clock.ts';
import { declineCategories } from '../../src/domain/declines/decline.ts';
import { networkBounds, usableMethods } from '../../src/policy/gates.ts';
import { day, declinedTry, failedAt, later, planInput } from './plan-input.ts';

const names = (input: Parameters<typeof usableMethods>[0]): readonly string[] =>
  usableMethods(input).map((method) => method.paymentMethodId);

describe('a method', () => {
  it.each(
    declineCategories.map((category) => [
      category,
      category === 'later' || category === 'technical' ? ['pm_1'] : [],
    ]),
  )('whose first failure is of category %s: usable are %j', (category, usable) => {
    const input = planInput({ firstDecline: { category, code: 'x' } });
    expect(names(input)).toEqual(usable);
  });

  it('is judged by its latest decline, whichever try it came from', () => {
    const never = { category: 'never', code: '43' } as const;
    const methods = [{ paymentMethodId: 'pm_1', failedFirst: true }, { paymentMethodId: 'pm_2' }];
    const tries = [declinedTry(day(1), never, 'pm_2'), declinedTry(day(3))];
    expect(names(planInput({ now: day(4), methods, tries }))).toEqual(['pm_1']);
    const passed = [...tries, declinedTry(day(3.5), later, 'pm_2')];
    expect(names(planInput({ now: day(4), methods, tries: passed }))).toEqual(['pm_1', 'pm_2']);
  });

  it('is usable again once it was renewed after its decline', () => {
    const firstDecline = { category: 'fix_data', code: '54' } as const;
    const renewed = (renewedAt: Date) =>
      planInput({
        now: day(2),
        firstDecline,
        methods: [{ paymentMethodId: 'pm_1', failedFirst: true, renewedAt }],
      });
    expect(names(renewed(day(1)))).toEqual(['pm_1']);
    expect(names(renewed(addMs(failedAt, -1)))).toEqual([]);
  });

  it('is usable again by a renewal after its own decline, whatever was tried of others since', () => {
    const never = { category: 'never', code: '43' } as const;
    const methods = [
      { paymentMethodId: 'pm_1', failedFirst: true, renewedAt: day(2) },
      { paymentMethodId: 'pm_2' },
    ];
    const tries = [declinedTry(day(1), never), declinedTry(day(3), later, 'pm_2')];
    expect(names(planInput({ now: day(4), methods, tries }))).toEqual(['pm_1', 'pm_2']);
    const advised = { ...later, waitMs: 10 * dayMs };
    const waiting = [declinedTry(day(1), advised), declinedTry(day(3), later, 'pm_2')];
    const [first] = usableMethods(planInput({ now: day(4), methods, tries: waiting }));
    expect(first?.allowedAt).toEqual(day(4));
  });

  it('does not bear the first failure of another one that was removed', () => {
    const firstDecline = { category: 'never', code: '43' } as const;
    const input = planInput({ firstDecline, methods: [{ paymentMethodId: 'pm_2' }] });
    expect(names(input)).toEqual(['pm_2']);
  });

  it('waits for as long as its issuer advised, counted from the decline', () => {
    const waits = { ...later, waitMs: 2 * dayMs };
    const [first] = usableMethods(planInput({ firstDecline: waits }));
    expect(first?.allowedAt).toEqual(day(2));
    const again = planInput({ now: day(1.5), tries: [declinedTry(day(1), waits)] });
    expect(usableMethods(again)[0]?.allowedAt).toEqual(
      addMs(again.tries[0]?.endedAt ?? failedAt, 2 * dayMs),
    );
  });

  it('waits no longer once it was renewed', () => {
    const input = planInput({
      now: day(1),
      firstDecline: { ...later, waitMs: 10 * dayMs },
      methods: [{ paymentMethodId: 'pm_1', failedFirst: true, renewedAt: addMs(failedAt, hourMs) }],
    });
    expect(usableMethods(input)).toEqual([
      { paymentMethodId: 'pm_1', renewed: true, allowedAt: day(1) },
    ]);
  });
});

describe('the order of methods', () => {
  it('is the renewed ones, the newest first, then the merchant’s order', () => {
    const methods = [
      { paymentMethodId: 'pm_1', failedFirst: true },
      { paymentMethodId: 'pm_2' },
      { paymentMethodId: 'pm_3', renewedAt: day(1) },
      { paymentMethodId: 'pm_4', renewedAt: day(2) },
    ];
    expect(names(planInput({ now: day(3), methods }))).toEqual(['pm_4', 'pm_3', 'pm_1', 'pm_2']);
  });

  it('forgets a renewal that a try came after', () => {
    const methods = [
      { paymentMethodId: 'pm_1', failedFirst: true },
      { paymentMethodId: 'pm_2', renewedAt: day(1) },
    ];
    const input = planInput({ now: day(3), methods, tries: [declinedTry(day(2))] });
    expect(usableMethods(input).map((method) => [method.paymentMethodId, method.renewed])).toEqual([
      ['pm_1', false],
      ['pm_2', false],
    ]);
  });
});

describe('a method that its network holds back', () => {
  const rule = { id: 'visa.category_1', words: 'Not again.', source: 'visaRules' } as never;
  const methods = (until?: Date) => [
    {
      paymentMethodId: 'pm_1',
      failedFirst: true,
      blocked: { rule, ...(until && { until }) } as never,
    },
    { paymentMethodId: 'pm_2' },
  ];
  const bound =
    'pm_1: Not again. [visa.category_1, until 2026-03-03T12:00:00.000Z; source: visaRules]';

  it('for good is out, and another is not', () => {
    expect(names(planInput({ methods: methods() }))).toEqual(['pm_2']);
    expect(networkBounds(methods())).toEqual([
      'pm_1: Not again. [visa.category_1, for good; source: visaRules]',
    ]);
  });

  it('until a time may be tried from then on, with the rule in words', () => {
    const [first, second] = usableMethods(planInput({ methods: methods(day(2)) }));
    expect(first).toEqual({
      paymentMethodId: 'pm_1',
      renewed: false,
      allowedAt: day(2),
      boundBy: bound,
    });
    expect(second).toEqual({ paymentMethodId: 'pm_2', renewed: false, allowedAt: failedAt });
    expect(networkBounds(methods(day(2)))).toEqual([bound]);
    expect(networkBounds([{ paymentMethodId: 'pm_2' }])).toEqual([]);
  });

  it('for less long than the issuer advised waits as advised', () => {
    const firstDecline = { ...later, waitMs: 3 * dayMs };
    const [first] = usableMethods(planInput({ firstDecline, methods: methods(day(2)) }));
    expect(first).toMatchObject({
      allowedAt: day(3),
      boundBy: `the issuer advised to wait until ${day(3).toISOString()}`,
    });
    const [past] = usableMethods(planInput({ now: day(3), methods: methods(day(2)) }));
    expect(past).toEqual({ paymentMethodId: 'pm_1', renewed: false, allowedAt: day(3) });
  });
});
