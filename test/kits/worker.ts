import { addMs, minuteMs } from '../../src/domain/clock.ts';
import type { DueItems, Hold } from '../../src/domain/held-back.ts';
import type { RetryOutcome, StopOutcome } from '../../src/recovery/api.ts';
import { runDuePayment } from '../../src/recovery/engine/attempt-payment.ts';
import { deliverEvent } from '../../src/recovery/engine/deliver-event.ts';
import type { EngineDeps } from '../../src/recovery/engine/deps.ts';
import { resolveUnknown } from '../../src/recovery/engine/resolve-unknown.ts';
import { retryPayment } from '../../src/recovery/engine/retry-payment.ts';
import { type StopDeps, stopPayment } from '../../src/recovery/engine/stop-payment.ts';
import type {
  ClaimInput,
  DeliveryStore,
  DueDelivery,
  DuePayment,
  UnknownCharge,
  UnknownChargeStore,
} from '../../src/recovery/engine-ports.ts';
import { type ApplyDeps, applyRequests } from '../../src/recovery/intake/apply-requests.ts';
import { noteForeignAttempt } from '../../src/recovery/intake/note-foreign-attempt.ts';
import type { DueRequest, RequestLog } from '../../src/recovery/intake-ports.ts';

/** How long a worker of these tests holds what it took, and how long it waits for a PSP. */
export const leaseMs = 2 * minuteMs;
export const pspTimeoutMs = 5_000;
/** More rounds at one moment than any test needs: the engine runs in a circle. */
const maxRounds = 300;

export type WorkerDeps = EngineDeps &
  StopDeps & {
    readonly deliveries: DeliveryStore;
    readonly endpointDeliveries: DeliveryStore;
    readonly unknownCharges: UnknownChargeStore;
    readonly requestLog: RequestLog;
    readonly countForeignAttempt: () => void;
    readonly countSend: (result: 'delivered' | 'failed' | 'exhausted') => void;
  };

/** A worker of the service, whose work is done when a test says so. */
export interface Worker {
  readonly deps: WorkerDeps;
  claimRequests(limit?: number): Promise<readonly DueRequest[]>;
  claimPayments(limit?: number): Promise<readonly DuePayment[]>;
  claimUnknown(limit?: number): Promise<readonly UnknownCharge[]>;
  claimDeliveries(limit?: number): Promise<readonly DueDelivery[]>;
  /** To further endpoints. */
  claimEndpointDeliveries(limit?: number): Promise<readonly DueDelivery[]>;
  apply(requests: readonly DueRequest[]): Promise<void>;
  run(payment: DuePayment): Promise<void>;
  look(charge: UnknownCharge): Promise<void>;
  deliver(delivery: DueDelivery): Promise<void>;
  /** Takes and does what is due now, once; how much that was. A failing piece does not end it. */
  runOnce(): Promise<number>;
  /** Until nothing is due now. */
  settle(): Promise<void>;
  stop(invoiceId: string, options?: { detail?: string; waits?: boolean }): Promise<StopOutcome>;
  retry(invoiceId: string, retryAt?: Date): Promise<RetryOutcome>;
  /** What a piece of work threw, in order. */
  readonly failures: unknown[];
}

/** A worker on these parts, for the payments of one merchant. */
export function createWorker(deps: WorkerDeps, merchantId: string): Worker {
  const failures: unknown[] = [];
  // What was taken, with the lease that it was taken under.
  const holds = new WeakMap<object, Hold>();
  const taken = async <Item extends object>(
    take: (input: ClaimInput) => Promise<DueItems<Item>>,
    limit: number | undefined,
  ) => {
    const input = claim(limit);
    const epoch = deps.time.epoch();
    const { items } = await take(input);
    for (const item of items) holds.set(item, { epoch, leaseUntil: input.leaseUntil });
    return items;
  };
  const holdOf = (item: object): Hold =>
    holds.get(item) ?? { epoch: deps.time.epoch(), leaseUntil: claim().leaseUntil };
  const claim = (limit = 500): ClaimInput => {
    const now = deps.clock.now();
    return { now, leaseUntil: addMs(now, leaseMs), limit, perMerchant: limit, busy: [] };
  };
  const attempt = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>) => {
    const done = await Promise.allSettled(items.map(work));
    for (const result of done) if (result.status === 'rejected') failures.push(result.reason);
    return items.length;
  };
  const apply = async (requests: readonly DueRequest[]) => {
    const applyDeps: ApplyDeps = {
      ...deps,
      log: deps.requestLog,
      async endRecovery(key, why) {
        await stopPayment(deps, { ...key, ...why, waits: false });
      },
      noteForeignAttempt: (attempt) =>
        noteForeignAttempt(
          { log: deps.log, countForeignAttempt: deps.countForeignAttempt },
          attempt,
        ),
    };
    await applyRequests(applyDeps, requests);
  };
  const engine: Worker = {
    deps,
    failures,
    claimRequests: async (limit) => (await deps.requestLog.claimDue(claim(limit))).items,
    claimPayments: (limit) => taken((input) => deps.payments.claimDue(input), limit),
    claimUnknown: (limit) => taken((input) => deps.unknownCharges.claimDue(input), limit),
    claimDeliveries: async (limit) => (await deps.deliveries.claimDue(claim(limit))).items,
    claimEndpointDeliveries: async (limit) =>
      (await deps.endpointDeliveries.claimDue(claim(limit))).items,
    apply,
    run: (payment) => runDuePayment(deps, payment, holdOf(payment)),
    look: (charge) => resolveUnknown(deps, charge, holdOf(charge)),
    deliver: (delivery) =>
      deliverEvent(
        {
          ...deps,
          deliveries: delivery.endpointId === undefined ? deps.deliveries : deps.endpointDeliveries,
        },
        delivery,
      ),
    async runOnce() {
      const requests = await engine.claimRequests();
      if (requests.length > 0) await attempt([requests], apply);
      const counts = [
        requests.length,
        await attempt(await engine.claimPayments(), engine.run),
        await attempt(await engine.claimUnknown(), engine.look),
        await attempt(await engine.claimDeliveries(), engine.deliver),
        await attempt(await engine.claimEndpointDeliveries(), engine.deliver),
      ];
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async settle() {
      for (let round = 0; round < maxRounds; round += 1) {
        if ((await engine.runOnce()) === 0) return;
      }
      throw new Error('work is due again and again at the same moment');
    },
    stop: (invoiceId, { detail, waits = true } = {}) =>
      stopPayment(deps, {
        merchantId,
        invoiceId,
        reason: 'merchant_stop',
        waits,
        ...(detail === undefined ? {} : { detail }),
      }),
    retry: (invoiceId, retryAt) =>
      retryPayment(deps, { merchantId, invoiceId, ...(retryAt && { retryAt }) }),
  };
  return engine;
}
