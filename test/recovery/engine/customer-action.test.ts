import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { Decline } from '../../../src/domain/declines/decline.ts';
import { whatHelps } from '../../../src/recovery/engine/customer-action.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';

const engineWorld = useEngineWorld();
const day = (days: number) => addMs(worldStart, days * dayMs);

const toldIn = async (world: EngineWorld) =>
  (await world.events()).map(({ type, body }) => [type, body.resolved_by ?? body.reason]);

describe('a payment that waits for its customer', () => {
  it('is told with why, since when, what helps and how long, and again when a new method ends it', async () => {
    const world = await engineWorld({ customerActionEvents: true });
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_54'], custom: { a: 1 } }));
    await world.runUntil(day(2));
    const [first, second] = await world.events();
    expect(first?.type).toBe('retry_result');
    expect(second).toMatchObject({ type: 'customer_action_required' });
    expect(second?.body).toEqual({
      timestamp: day(1).toISOString(),
      customer_id: 'cus_1',
      subscription_id: 'sub_of_in_1',
      invoice_id: 'in_1',
      reason: 'fix_data',
      decline_code: 'expired_card',
      what_helps: 'new_payment_method',
      since: day(1).toISOString(),
      waits_until: day(28).toISOString(),
      amount: 12.23,
      currency: 'USD',
      custom: { a: 1 },
    });
    await world.submitUpdate({ customer_id: 'cus_1', payment_method_id: 'pm_sandbox_success' });
    await world.runUntil(day(29));
    expect(await toldIn(world)).toEqual([
      ['retry_result', undefined],
      ['customer_action_required', 'fix_data'],
      ['customer_action_resolved', 'payment_method'],
      ['retry_result', undefined],
    ]);
    expect((await world.payment()).status).toBe('recovered');
    await expectSound(world);
  });

  it('is told at once where the first failure says so, and when its window has ended', async () => {
    const world = await engineWorld({ customerActionEvents: true, endOfDunning: true });
    const outcome = { raw_response_message: '43: stolen card' };
    await world.submit(failedEvent({ outcome }));
    await world.settle();
    expect(await toldIn(world)).toEqual([['customer_action_required', 'never']]);
    await world.runUntil(day(29));
    expect(await toldIn(world)).toEqual([
      ['customer_action_required', 'never'],
      ['customer_action_resolved', 'window_ended'],
      ['end_of_dunning', undefined],
    ]);
    await expectSound(world);
  });

  it('is not told to a merchant that did not ask for it', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_54'] }));
    await world.runUntil(day(29));
    expect(await toldIn(world)).toEqual([['retry_result', undefined]]);
  });

  it('that may be tried again later is not told', async () => {
    const world = await engineWorld({ customerActionEvents: true });
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.runUntil(day(3));
    expect((await toldIn(world)).every(([type]) => type === 'retry_result')).toBe(true);
  });
});

describe('what helps', () => {
  const decline = (more: Partial<Decline>): Decline => ({
    category: 'customer_action',
    code: 'x',
    ...more,
  });

  it.each<readonly [Partial<Decline>, string]>([
    [{ category: 'never' }, 'new_payment_method'],
    [{ category: 'fix_data' }, 'new_payment_method'],
    [{ category: 'later' }, 'new_payment_method'],
    [{ networkCode: '1A' }, 'authentication'],
    [{ networkCode: '88' }, 'authentication'],
    [{ code: 'authentication_required' }, 'authentication'],
    [{ category: 'never', code: 'authentication_required' }, 'new_payment_method'],
    [{ networkCode: '70' }, 'contact_issuer'],
    [
      { sources: [{ source: 'network_advice', said: '40', category: 'customer_action' }] },
      'new_payment_method',
    ],
    [
      { sources: [{ source: 'psp_code', said: 'call', category: 'customer_action' }] },
      'contact_issuer',
    ],
  ])('against %j is %s', (more, help) => {
    expect(whatHelps(decline(more))).toBe(help);
  });
});
