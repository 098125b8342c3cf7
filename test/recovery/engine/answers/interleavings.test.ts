import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../../src/domain/clock.ts';
import { takeAnswer } from '../../../../src/recovery/engine/answers/take-answer.ts';
import type { ChargeRequest, ChargeResult } from '../../../../src/recovery/psp-ports.ts';
import { failedEvent, worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { changedGateways } from '../../../kits/gateways.ts';
import { timeLimitMs } from '../../../kits/time-limit.ts';
import { leaseMs } from '../../../kits/worker.ts';

const engineWorld = useEngineWorld();
const end = addMs(worldStart, 30 * dayMs);

/** What happens to a charge of a worker, in its order. */
type Fate = 'answered' | 'lost' | 'stolen' | 'stolen_and_settled' | 'never_sent' | 'told_late';
const fates: readonly Fate[] = [
  'answered',
  'lost',
  'stolen',
  'stolen_and_settled',
  'never_sent',
  'told_late',
];

/**
 * A PSP with idempotency, by the sandbox's own ledger, whose charges meet these fates one after another.
 * What it answered and nobody heard is told later.
 */
function fatedWorker(world: EngineWorld, left: Fate[], told: ToldLater[]) {
  return world.worker((deps) =>
    changedGateways(deps, (gateway) => ({
      async charge(request: ChargeRequest): Promise<ChargeResult> {
        const fate = left.shift() ?? 'answered';
        if (fate === 'never_sent') return { kind: 'not_made', reason: 'it was not sent' };
        const result = await gateway.charge(request);
        switch (fate) {
          case 'answered':
            return result;
          case 'lost':
            return { kind: 'unknown', reason: 'the answer was lost' };
          case 'told_late':
            told.push({ key: request.idempotencyKey, result });
            return { kind: 'not_made', reason: 'taken for never made' };
          case 'stolen':
          case 'stolen_and_settled':
            world.clock.passMs(leaseMs + minuteMs);
            await (fate === 'stolen' ? runOnce(world) : world.settle());
            return result;
        }
      },
    })),
  );
}

interface ToldLater {
  readonly key: string;
  readonly result: ChargeResult;
}

async function runOnce(world: EngineWorld): Promise<void> {
  for (const payment of await world.claimPayments()) await world.run(payment);
}

async function tellAll(world: EngineWorld, told: ToldLater[]): Promise<void> {
  for (const { key: idempotencyKey, result } of told.splice(0)) {
    if (result.kind === 'unknown') continue;
    const { merchantId } = world;
    await takeAnswer(world.deps, { merchantId, idempotencyKey, result });
  }
}

it('whatever happens to charges and their answers, a debt is paid once and no answer is lost', {
  timeout: timeLimitMs(120_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...fates), { minLength: 1, maxLength: 6 }),
      fc.subarray(['pm_sandbox_decline_51', 'pm_sandbox_success', 'pm_sandbox_decline_05'], {
        minLength: 1,
      }),
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
      async (fateList, methods, stopAfter, isTold) => {
        const world = await engineWorld({ policy: { windowDays: 10, fixedDays: [1, 2, 4] } });
        const told: ToldLater[] = [];
        const worker = fatedWorker(world, [...fateList], told);
        await world.submit(failedEvent({ methods }));
        for (let day = 0; day < 6; day += 1) {
          await world.runUntil(addMs(worldStart, day * dayMs), worker);
          if (isTold) await tellAll(world, told);
          if (day === stopAfter) await world.stop('in_1', { waits: false });
        }
        await world.runUntil(end);
        await tellAll(world, told);
        await world.runUntil(addMs(end, dayMs));
        const ledger = await world.ledger();
        const paid = ledger.filter((charge) => charge.status === 'succeeded');
        expect(paid.length).toBeLessThanOrEqual(1);
        const { status } = await world.payment();
        expect(status === 'recovered').toBe(paid.length === 1);
        expect(await world.faults()).toEqual([]);
        expect([...world.failures, ...worker.failures]).toEqual([]);
        await world.close();
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
});
