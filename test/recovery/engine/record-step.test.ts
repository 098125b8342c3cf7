import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { present } from '../../../src/domain/present.ts';
import type { SendAtOnce } from '../../../src/recovery/engine/deps.ts';
import { recordStep, type Step } from '../../../src/recovery/engine/record-step.ts';
import type {
  DueDelivery,
  Outcome,
  PaymentContext,
  RecordOutcome,
} from '../../../src/recovery/engine-ports.ts';
import { worldStart } from '../../kits/billing-events.ts';
import { random } from '../../kits/engine.ts';
import { merchant, paymentContext } from './payment-context.ts';

/** A step over a store in memory, which answers as told and is changed from outside as told. */
async function recorded(
  step: Step,
  answers: readonly RecordOutcome[],
  fresh: (reads: number) => PaymentContext | undefined = (reads) =>
    paymentContext({ revision: reads }),
  sendAtOnce?: SendAtOnce,
) {
  const outcomes: Outcome[] = [];
  const decidedOn: number[] = [];
  const woken: string[] = [];
  let reads = 0;
  const deps = {
    clock: { now: () => worldStart },
    random,
    signLink: () => 'token',
    payments: {
      record: async (outcome: Outcome) => {
        outcomes.push(outcome);
        return answers[outcomes.length - 1] ?? 'changed';
      },
      load: async () => {
        reads += 1;
        return fresh(reads);
      },
      claimDue: () => Promise.reject(new Error('a step claims nothing')),
      beginCharge: () => Promise.reject(new Error('a step begins no charge')),
      findOtherNames: () => Promise.reject(new Error('a step begins no charge')),
      renewLease: () => Promise.reject(new Error('a step renews no lease')),
      learnCard: () => Promise.reject(new Error('a step learns nothing of cards')),
      requestStop: () => Promise.reject(new Error('a step asks for no stop')),
    },
    wake: {
      requests: () => woken.push('requests'),
      payments: () => woken.push('payments'),
      deliveries: () => woken.push('deliveries'),
      unknownCharges: () => woken.push('unknown charges'),
    },
    ...present({ sendAtOnce }),
  };
  const result = await recordStep(deps, {
    payment: paymentContext(),
    merchant,
    decideStep: (payment) => {
      decidedOn.push(payment.revision);
      return step;
    },
  });
  return { result, outcome: result.kind, outcomes, decidedOn, woken };
}

const goOn: Step = {
  payment: {
    state: 'scheduled',
    attemptCount: 0,
    postponements: 0,
    dueAction: 'attempt',
    nextAttemptAt: addMs(worldStart, dayMs),
  },
};
const end: Step = { payment: { state: 'exhausted', attemptCount: 0, postponements: 0 } };

describe('a step', () => {
  it('is written against what its payment was read with', async () => {
    const { outcome, outcomes } = await recorded(goOn, ['recorded']);
    expect(outcome).toBe('recorded');
    expect(outcomes).toMatchObject([
      { invoiceId: 'in_1', fence: 1, revision: 0, at: worldStart, takeOver: false, events: [] },
    ]);
  });

  it('is decided again on fresh facts where something came from outside', async () => {
    const { result, decidedOn, outcomes } = await recorded(goOn, [
      'changed',
      'changed',
      'recorded',
    ]);
    expect(result).toMatchObject({ kind: 'recorded', step: goOn, payment: { revision: 2 } });
    expect(decidedOn).toEqual([0, 1, 2]);
    expect(outcomes.map((item) => item.revision)).toEqual([0, 1, 2]);
  });

  it.each<readonly [string, PaymentContext | undefined]>([
    ['is gone', undefined],
    ['has ended', paymentContext({ state: 'stopped' })],
    ['is held by another', paymentContext({ fence: 2 })],
  ])('is given up where the payment %s by then', async (_, fresh) => {
    const { outcome, outcomes, woken } = await recorded(goOn, ['changed'], () => fresh);
    expect(outcome).toBe('lease_lost');
    expect(outcomes).toHaveLength(1);
    expect(woken).toEqual([]);
  });

  it('is given up where the payment does not come to rest', async () => {
    const { outcome, outcomes } = await recorded(goOn, []);
    expect(outcome).toBe('changed');
    expect(outcomes.length).toBeLessThan(20);
  });
});

describe('what follows from a step', () => {
  it('wakes whoever does it, where it is due at once', async () => {
    const atOnce: Step = { payment: { ...goOn.payment, nextAttemptAt: worldStart } };
    expect((await recorded(atOnce, ['recorded'])).woken).toEqual(['payments']);
    expect((await recorded(goOn, ['recorded'])).woken).toEqual([]);
    expect((await recorded(end, ['recorded'])).woken).toEqual(['deliveries']);
  });

  it('wakes nobody while the attempt goes on under its lease', async () => {
    const underWay: Step = {
      payment: { ...goOn.payment, nextAttemptAt: worldStart, leaseUntil: worldStart },
    };
    expect((await recorded(underWay, ['recorded'])).woken).toEqual([]);
  });

  it('wakes nobody where it was not written', async () => {
    expect((await recorded(end, ['lease_lost'])).woken).toEqual([]);
  });

  it('is the end of dunning, beside the step’s own events', async () => {
    const own = { eventId: 'evt_1', type: 'retry_result', attemptId: 'att_1', body: '{}' } as const;
    const { outcomes } = await recorded({ ...end, events: [own] }, ['recorded']);
    expect(outcomes[0]?.events.map((event) => event.type)).toEqual([
      'retry_result',
      'end_of_dunning',
    ]);
  });
});

describe('the events of a step', () => {
  const leaseUntil = addMs(worldStart, dayMs);
  const own = {
    eventId: 'evt_1',
    type: 'retry_result',
    attemptId: 'att_1',
    body: '{"n":1}',
  } as const;

  /** A step with one event, in a process that has places to send or has none. */
  async function withEvent(answers: readonly RecordOutcome[], hasPlace = true) {
    const asked: (string | number)[][] = [];
    const sent: DueDelivery[] = [];
    let released = 0;
    const sendAtOnce: SendAtOnce = {
      place(merchantId, count) {
        asked.push([merchantId, count]);
        if (!hasPlace) return undefined;
        const release = () => {
          released += 1;
        };
        return { leaseUntil, run: (deliveries) => sent.push(...deliveries), release };
      },
    };
    const step: Step = { ...goOn, events: [own] };
    const result = await recorded(step, answers, undefined, sendAtOnce);
    return { ...result, asked, sent, released };
  }

  it('are written under the lease of the places for them, and sent once they are committed', async () => {
    const { outcomes, asked, sent, released, woken } = await withEvent(['recorded']);
    expect(asked).toEqual([[paymentContext().merchantId, 1]]);
    expect(outcomes[0]?.sendLeaseUntil).toEqual(leaseUntil);
    expect(sent).toEqual([
      {
        merchantId: paymentContext().merchantId,
        eventId: 'evt_1',
        type: 'retry_result',
        body: '{"n":1}',
        fence: 1,
        tries: 0,
        dueAt: worldStart,
      },
    ]);
    expect(released).toBe(0);
    expect(woken).toEqual([]);
  });

  it('are left to be claimed where no place is free', async () => {
    const { outcomes, sent, woken } = await withEvent(['recorded'], false);
    expect(outcomes[0]).not.toHaveProperty('sendLeaseUntil');
    expect(sent).toEqual([]);
    expect(woken).toEqual(['deliveries']);
  });

  it('give their places back where they were not written, each time', async () => {
    const lost = await withEvent(['lease_lost']);
    expect([lost.sent, lost.released, lost.woken]).toEqual([[], 1, []]);
    const again = await withEvent(['changed', 'recorded']);
    expect([again.sent.length, again.released, again.asked.length]).toEqual([1, 1, 2]);
  });
});
