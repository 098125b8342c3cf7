import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, maxClocksApartMs, secondMs } from '../../../../src/domain/clock.ts';
import { sandboxCapabilities } from '../../../../src/psp/sandbox/capabilities.ts';
import { keyMarginMs, lookFirst } from '../../../../src/recovery/engine/answers/look-first.ts';
import { lookUnderOtherNames } from '../../../../src/recovery/engine/answers/other-names.ts';
import type { LookUpRequest, LookUpResult } from '../../../../src/recovery/psp-ports.ts';
import { worldStart } from '../../../kits/billing-events.ts';
import { type EngineWorld, useEngineWorld } from '../../../kits/engine.ts';
import { onlyGateway } from '../../../kits/gateways.ts';
import { pspTimeoutMs } from '../../../kits/worker.ts';
import { paymentContext, sendingCharge } from '../payment-context.ts';

const engineWorld = useEngineWorld();
const now = addMs(worldStart, 10 * dayMs);
const transaction = sendingCharge(now);
const notFound: LookUpResult = { kind: 'not_found' };

type Begun = Parameters<typeof lookFirst>[1]['begun'];

/** What is asked before a charge at a PSP that remembers keys for a day, and what it comes to. */
async function looking() {
  const world = await engineWorld();
  world.clock.set(now);
  return (begun: Omit<Begun, 'kind'>, says: LookUpResult = notFound) =>
    lookedFirst(world, begun, says);
}

async function lookedFirst(world: EngineWorld, begun: Omit<Begun, 'kind'>, says: LookUpResult) {
  const asked: LookUpRequest[] = [];
  const { findGateway } = onlyGateway({
    capabilities: { ...sandboxCapabilities, keyMemoryMs: dayMs, recordLagMs: secondMs },
    async lookUp(request) {
      asked.push(request);
      return says;
    },
  });
  const gateway = await findGateway({ merchantId: 'mer_1', psp: 'sandbox' });
  if (gateway === undefined) throw new Error('there is one');
  let askedForNames = 0;
  const payments = {
    ...world.deps.payments,
    async findOtherNames() {
      askedForNames += 1;
      return { invoiceIds: [], recorded: new Set<string>() };
    },
  };
  const input = { gateway, payment: paymentContext(), transaction };
  const result = await lookFirst(
    { ...world.deps, payments },
    { ...input, begun: { kind: 'begun', ...begun } },
  );
  return { result, askedForNames, since: asked.map(({ sentAt }) => sentAt) };
}

const sentBefore = (agoMs: number, lastMs = agoMs) => ({
  earlier: { firstSentAt: addMs(now, -agoMs), lastSentAt: addMs(now, -lastMs) },
});

describe('a charge that may have been made before', () => {
  it('is looked for from the first one under its key on, once the PSP forgets that', async () => {
    const look = await looking();
    const remembered = sentBefore(dayMs - keyMarginMs - 1, hourMs);
    expect(await look(remembered)).toMatchObject({ result: undefined, since: [] });
    const forgotten = sentBefore(dayMs - keyMarginMs, hourMs);
    expect(await look(forgotten)).toMatchObject({
      result: undefined,
      since: [forgotten.earlier.firstSentAt],
    });
  });

  it('is looked for from the failure on after a restore, under the other names of its debt too', async () => {
    const look = await looking();
    expect(await look({ mayExist: true })).toEqual({
      result: undefined,
      askedForNames: 1,
      since: [worldStart],
    });
    const both = await look({ mayExist: true, ...sentBefore(2 * dayMs) });
    expect(both).toMatchObject({ result: undefined, askedForNames: 1 });
    const known = await look(sentBefore(2 * dayMs));
    expect(known).toMatchObject({ result: undefined, askedForNames: 0 });
  });

  it('is not sent while the last one may be on its way', async () => {
    const look = await looking();
    // Two time-outs, the record's lag, and as far as two clocks may be apart.
    const waitMs = 2 * pspTimeoutMs + secondMs + maxClocksApartMs;
    const { result } = await look(sentBefore(2 * dayMs, waitMs - 1));
    expect(result).toMatchObject({ kind: 'not_made' });
    expect((await look(sentBefore(2 * dayMs, waitMs))).result).toBeUndefined();
  });

  it('is not sent where nobody can tell, nor where it was found', async () => {
    const look = await looking();
    const unknown: LookUpResult = { kind: 'unknown', reason: 'no answer' };
    expect((await look({ mayExist: true }, unknown)).result).toMatchObject({
      kind: 'not_made',
    });
    const made: LookUpResult = { kind: 'succeeded', pspTransactionId: 'ch_1' };
    expect((await look({ mayExist: true }, made)).result).toEqual(made);
  });
});

it('under another name of its debt a try is looked for that no record here has', async () => {
  const world = await engineWorld();
  const asked: string[] = [];
  const made: readonly LookUpResult[] = [
    { kind: 'succeeded', pspTransactionId: 'ch_recorded' },
    { kind: 'succeeded', pspTransactionId: 'ch_lost' },
  ];
  const finding = async (
    results: readonly LookUpResult[],
    recordedKeys: readonly string[] = [],
  ) => {
    const { findGateway } = onlyGateway({
      async lookUp({ idempotencyKey }) {
        asked.push(idempotencyKey);
        return results[asked.length - 1] ?? notFound;
      },
    });
    const gateway = await findGateway({ merchantId: 'mer_1', psp: 'sandbox' });
    if (gateway === undefined) throw new Error('there is one');
    const recorded = new Set(['ch_recorded', ...recordedKeys]);
    const findOtherNames = async () => ({ invoiceIds: ['in_2'], recorded });
    const payments = { ...world.deps.payments, findOtherNames };
    const payment = paymentContext({ maxAttempts: 2 });
    return lookUnderOtherNames({ payments }, { gateway, payment, transaction });
  };
  expect(await finding(made)).toEqual(made[1]);
  expect(new Set(asked).size).toBe(2);
  asked.length = 0;
  // What was never tried was not tried again either.
  expect(await finding([])).toEqual(notFound);
  expect(asked).toHaveLength(1);
  // One that a record here has says nothing of the next, also where it was not made.
  const [first = ''] = asked;
  asked.length = 0;
  expect(await finding(made.slice(1), [first])).toEqual(made[1]);
  expect(asked).not.toContain(first);
});
