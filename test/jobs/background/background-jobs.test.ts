import { describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../src/domain/clock.ts';
import {
  type CheckInvariantsDeps,
  checkInvariants,
  checkInvariantsNow,
  keepControlTotals,
} from '../../../src/jobs/background/check-invariants.ts';
import { purgeIdempotencyKeys } from '../../../src/jobs/background/history/purge-idempotency-keys.ts';
import { trimHistory } from '../../../src/jobs/background/history/trim-history.ts';
import { replayDeliveries, replayRequest } from '../../../src/jobs/background/replay-deliveries.ts';
import type { JobContext } from '../../../src/jobs/background-job.ts';
import type { InvariantCheck } from '../../../src/recovery/accounting/accounting-ports.ts';

const at = new Date('2026-06-01T00:00:00Z');
const context = (): JobContext => ({
  at,
  signal: new AbortController().signal,
  progress() {},
});

/** Gives the counts one after the other, then 0; notes what it was called with. */
function batches<Args extends readonly unknown[]>(...counts: readonly number[]) {
  const left = [...counts];
  const calls: Args[] = [];
  const step = async (...args: Args): Promise<number> => {
    calls.push(args);
    return left.shift() ?? 0;
  };
  return { step, calls };
}

describe('purge-idempotency-keys', () => {
  it('removes batches of keys until none is left, once a day', async () => {
    const { step, calls } = batches<[Date, number]>(1_000, 3);
    const job = purgeIdempotencyKeys({ purge: step });
    await job.run(context());
    expect(calls).toEqual(Array.from({ length: 3 }, () => [at, 1_000]));
    expect(job.everyMs).toBe(dayMs);
  });
});

describe('check-invariants', () => {
  const found: InvariantCheck = {
    checkId: 'chk_1',
    state: 'done',
    rowsRead: 3,
    startedAt: at,
    updatedAt: at,
    endedAt: at,
    items: [
      { name: 'one_success_per_invoice', promise: 'No invoice twice.', breaches: 2 },
      { name: 'final_payments_are_idle', promise: 'Idle.', breaches: 0 },
    ],
  };

  function checkKit() {
    const errors: unknown[] = [];
    const pages = [
      { rows: 3, ended: false },
      { rows: 0, ended: false },
      { rows: 0, ended: true },
    ];
    const deps: CheckInvariantsDeps = {
      begin: async () => found,
      step: async () => pages.shift() ?? { rows: 0, ended: true },
      find: async () => found,
      log: { error: (fields) => void errors.push(fields) },
    };
    return { deps, errors, pages };
  }

  it('reads page by page to the end, and logs each promise that is broken', async () => {
    const { deps, errors, pages } = checkKit();
    const job = checkInvariants(deps);
    await job.run(context());
    expect(pages).toEqual([]);
    expect(errors).toEqual([
      { invariant: 'one_success_per_invoice', promise: 'No invoice twice.', breaches: 2 },
    ]);
    expect(job.everyMs).toBe(dayMs);
  });

  it('is the same when it is asked for', async () => {
    const { deps, errors } = checkKit();
    await checkInvariantsNow(deps).run({}, context());
    expect(errors).toHaveLength(1);
  });

  it('fails when a page fails, so that it is gone on with', async () => {
    const { deps } = checkKit();
    const away = { ...deps, step: () => Promise.reject(new Error('away')) };
    await expect(checkInvariants(away).run(context())).rejects.toThrow('away');
  });
});

describe('keep-control-totals', () => {
  it('counts what changed, every five minutes, and logs what does not agree', async () => {
    const errors: unknown[] = [];
    const folded: Date[] = [];
    const job = keepControlTotals({
      fold: async (input) => folded.push(input.at),
      readPromises: async () => [{ name: 'successes_agree', promise: 'A = B.', breaches: 1 }],
      log: { error: (fields) => void errors.push(fields) },
    });
    await job.run(context());
    expect(folded).toEqual([at]);
    expect(errors).toEqual([{ invariant: 'successes_agree', promise: 'A = B.', breaches: 1 }]);
    expect(job.everyMs).toBe(5 * minuteMs);
  });
});

describe('trim-history', () => {
  it('removes what is older than 90 days, batch by batch, once a day', async () => {
    const requests = batches<[Date, number]>(1_000, 1_000, 1);
    const tries = batches<[Date, number]>(2);
    const events = batches<[Date, number]>(1);
    const months = batches<[Date]>(1, 1);
    const made: Date[] = [];
    const cards: Date[] = [];
    const job = trimHistory({
      makePspEventMonths: async (of) => void made.push(of),
      dropPspEventMonth: months.step,
      trimRequests: requests.step,
      trimDeliveryTries: tries.step,
      trimPspEvents: events.step,
      trimCardAttempts: async (before) => cards.push(before) < 3,
    });
    await job.run(context());
    expect(requests.calls).toHaveLength(4);
    expect(tries.calls).toHaveLength(2);
    const before = new Date('2026-03-03T00:00:00Z');
    expect(events.calls).toHaveLength(2);
    expect(made).toEqual([at]);
    expect(months.calls).toEqual([[before], [before], [before]]);
    expect(cards).toEqual([before, before, before]);
    for (const call of [...requests.calls, ...tries.calls, ...events.calls]) {
      expect(call).toEqual([before, 1_000]);
    }
    expect(job.everyMs).toBe(dayMs);
  });
});

describe('replay-deliveries', () => {
  const request = replayRequest({ merchantId: 'mer_1', replayId: 'rpl_1' });
  const steps = (...queued: readonly number[]) => {
    const left = queued.map((count) => ({ queued: count, isOver: false }));
    const calls: object[] = [];
    let wakes = 0;
    const job = replayDeliveries({
      async step(input) {
        calls.push(input);
        return left.shift() ?? { queued: 0, isOver: true };
      },
      wakeDeliveries() {
        wakes += 1;
      },
    });
    return { job, calls, wakes: () => wakes };
  };

  it('queues batches until none is left, and wakes the deliveries after each that had some', async () => {
    const { job, calls, wakes } = steps(1_000, 0, 4);
    await job.run(request.input, context());
    expect(calls).toEqual(Array.from({ length: 4 }, () => ({ merchantId: 'mer_1', at })));
    expect(wakes()).toBe(2);
  });

  it('is a run for each replay, with an input that JSON holds', () => {
    expect(request.key).toBe('rpl_1');
    expect(JSON.parse(JSON.stringify(request.input))).toEqual(request.input);
  });

  it('refuses an input that is not its own', async () => {
    const run = steps().job.run({ merchantId: 7 }, context());
    await expect(run).rejects.toThrow('a replay names its merchant');
  });
});
