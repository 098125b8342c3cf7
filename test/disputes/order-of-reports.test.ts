import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDisputesModule } from '../../src/app/disputes/disputes-module.ts';
import { addMs, dayMs } from '../../src/domain/clock.ts';
import type { ReportedDispute } from '../../src/domain/disputes/reported-dispute.ts';
import { worldStart } from '../kits/billing-events.ts';
import { disputeOf } from '../kits/dispute-cases.ts';
import { useEngineWorld } from '../kits/engine.ts';
import { createTestSealer } from '../kits/psp-webhooks.ts';

const engineWorld = useEngineWorld();

/** In the order in which a dispute goes through them, with the days of an answer where its PSP names no date (Visa). */
const answerDays = { chargeback: 18, pre_arbitration: 10 } as const;
type Stage = keyof typeof answerDays;
const stages = Object.keys(answerDays) as readonly Stage[];
const statuses = ['needs_response', 'under_review', 'won', 'lost'] as const;

/** What a PSP tells of a dispute on a day; a deadline is told with an ask, by some PSPs. */
interface Told {
  readonly day: number;
  readonly stage: Stage;
  readonly status: (typeof statuses)[number];
  readonly amountMinor: number;
  readonly dueDay: number | undefined;
}

const day = (at: number) => addMs(worldStart, at * dayMs);

/** A dispute's course, a day apart at least, in which no stage comes back. */
const courses: fc.Arbitrary<readonly Told[]> = fc
  .record({
    hasDates: fc.boolean(),
    said: fc.uniqueArray(
      fc.record({
        day: fc.nat({ max: 8 }),
        stage: fc.constantFrom(...stages),
        status: fc.constantFrom(...statuses),
        amountMinor: fc.integer({ min: 1, max: 3 }),
        dueDay: fc.integer({ min: 20, max: 24 }),
      }),
      { minLength: 2, maxLength: 5, selector: (one) => one.day },
    ),
  })
  .map(({ hasDates, said }) => {
    const order = said
      .map(({ stage }) => stage)
      .toSorted((a, b) => stages.indexOf(a) - stages.indexOf(b));
    return said
      .toSorted((a, b) => a.day - b.day)
      .map((one, index) => ({
        ...one,
        stage: order[index] ?? one.stage,
        dueDay: hasDates && one.status === 'needs_response' ? one.dueDay : undefined,
      }));
  });

/** Each of it twice, in any order. */
const told = courses.chain((course) => {
  const twice = [...course, ...course];
  const events = fc.shuffledSubarray(twice, { minLength: twice.length });
  return fc.record({ course: fc.constant(course), events });
});

/** What docs/disputes.md says of it: the last word, its history and its deadline. */
function expected(course: readonly Told[]) {
  const last = course.at(-1);
  if (last === undefined) throw new Error('something is told');
  const begun = course.find(({ stage }) => stage === last.stage) ?? last;
  const changes = course.filter(
    ({ stage, status }, index) =>
      stage !== course[index - 1]?.stage || status !== course[index - 1]?.status,
  );
  const at = last.dueDay ?? begun.day + answerDays[last.stage];
  return {
    state: { kind: 'dispute', stage: last.stage, status: last.status },
    money: { amountMinor: last.amountMinor, currency: 'EUR' },
    changes: changes.map((one) => [one.stage, one.status, day(one.day)]),
    due: last.status === 'needs_response' ? [day(at), last.dueDay !== undefined] : undefined,
  };
}

function reportOf(pspDisputeId: string, one: Told): ReportedDispute {
  const { respondBy: _, ...rest } = disputeOf({ pspDisputeId });
  return {
    ...rest,
    kind: 'dispute',
    stage: one.stage,
    status: one.status,
    money: { amountMinor: one.amountMinor, currency: 'EUR' },
    ...(one.dueDay !== undefined && { respondBy: day(one.dueDay) }),
  };
}

it('what is told of a dispute comes to the same in any order and with any repeats', async () => {
  const world = await engineWorld();
  const { merchantId, deps } = world;
  const disputes = createDisputesModule({
    db: world.db,
    sealer: createTestSealer(),
    engine: { deps },
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(told, async ({ course, events }) => {
      count += 1;
      const pspDisputeId = `dp_${count}`;
      for (const one of events) {
        const dispute = reportOf(pspDisputeId, one);
        await disputes.ingest({ merchantId, psp: 'adyen', dispute, occurredAt: day(one.day) });
      }
      const [row] = await world.rows<{ id: string }>(
        'select dispute_id as id from disputes where psp_dispute_id = $1',
        [pspDisputeId],
      );
      const shown = await disputes.store.show({ merchantId, disputeId: row?.id ?? '' });
      expect({
        state: shown?.state,
        money: shown?.facts.money,
        changes: shown?.changes.map(({ state, occurredAt }) =>
          state.kind === 'dispute' ? [state.stage, state.status, occurredAt] : [],
        ),
        due: shown?.respondBy && [shown.respondBy.at, shown.respondBy.isPspsOwn],
      }).toEqual(expected(course));
    }),
    { numRuns: 30 },
  );
});
