import { minuteMs, secondMs } from '../domain/clock.ts';
import type { DueItems } from '../domain/held-back.ts';
import {
  type ClaimLoop,
  type ClaimLoopSettings,
  type DueWork,
  startClaimLoop,
} from '../jobs/claim-loop.ts';
import { type DueWatch, startDueWatch } from '../jobs/due-watch.ts';
import type { ParkingSettings } from '../jobs/parking.ts';
import type { DeliveryResult, Queue } from '../metrics.ts';
import { runDuePayment } from '../recovery/engine/attempt-payment.ts';
import { deliverEvent } from '../recovery/engine/deliver-event.ts';
import type { EngineDeps, Wake } from '../recovery/engine/deps.ts';
import { resolveUnknown } from '../recovery/engine/resolve-unknown.ts';
import { type StopDeps, stopPayment } from '../recovery/engine/stop-payment.ts';
import type {
  DeliveryStore,
  DueDelivery,
  DuePayment,
  UnknownCharge,
  UnknownChargeStore,
} from '../recovery/engine-ports.ts';
import { type ApplyDeps, applyRequests } from '../recovery/intake/apply-requests.ts';
import { noteForeignAttempt } from '../recovery/intake/note-foreign-attempt.ts';
import type { DueRequest, RequestLog } from '../recovery/intake-ports.ts';
import type { SetAsideStore, WorkKind } from '../recovery/set-aside/set-aside-ports.ts';
import { readNextDue } from '../store/engine/next-due.ts';
import type { AppContext } from './context.ts';
import { measured } from './measuring/measured.ts';
import {
  spanOfDelivery,
  spanOfPayment,
  spanOfRequest,
  spanOfUnknownCharge,
} from './tracing/spans-of-work.ts';
import { traceWork } from './tracing/trace-work.ts';
import type { SpanOf } from './tracing/tracing.ts';

export interface LoopParts {
  readonly context: AppContext;
  readonly deps: EngineDeps & StopDeps;
  readonly requestLog: RequestLog;
  readonly deliveries: DeliveryStore;
  readonly endpointDeliveries: DeliveryStore;
  readonly unknownCharges: UnknownChargeStore;
  readonly setAside: Pick<SetAsideStore, 'noteFailure'>;
}

/** Loops are rung: by whoever makes work due, and when it falls due. This is for a ring that is lost. */
const pollDefaultMs = 30 * secondMs;
/** How long a merchant whose server is slow waits for others' slow ones to end. */
const leftOutPollMs = 250;
/**
 * Applying takes milliseconds; a dead worker's requests wait for others no longer than its
 * attempts.
 */
const maxRequestLeaseMs = minuteMs;
/** What takes longer waits for a merchant's server or a PSP; what takes this much longer, in vain. */
const parkAfterMs = 250;
const slowAfterMs = 2_000;
/** Requests that are applied in one transaction. */
const requestGroup = 500;

/** One loop for each table whose rows are jobs. */
export function startLoops(parts: LoopParts) {
  return {
    requests: requestLoop(parts),
    payments: paymentLoop(parts),
    deliveries: deliveryLoop(parts),
    unknownCharges: unknownChargeLoop(parts),
    // The merchants of simulated worlds have their own webhook addresses alone.
    ...(parts.context.simulated === undefined && {
      endpointDeliveries: endpointDeliveryLoop(parts),
    }),
  };
}
export type Loops = ReturnType<typeof startLoops>;

/** What rings each of them; what goes to endpoints is two. */
export function wakesOf(loops: Loops): Wake {
  return {
    requests: loops.requests.wake,
    payments: loops.payments.wake,
    deliveries() {
      loops.deliveries.wake();
      loops.endpointDeliveries?.wake();
    },
    unknownCharges: loops.unknownCharges.wake,
  };
}

/** Rings the loops when work falls due. In simulations whoever moves the time does. */
export function watchDue({ context }: LoopParts, loops: Loops): DueWatch | undefined {
  const { clock, db, log, simulated } = context;
  if (simulated !== undefined) return undefined;
  return startDueWatch(
    { clock, log, readNextDue: (input) => readNextDue(db, input) },
    {
      requests: loops.requests.wake,
      payments: loops.payments.wake,
      psp_transactions: loops.unknownCharges.wake,
      deliveries: loops.deliveries.wake,
      endpoint_deliveries: () => loops.endpointDeliveries?.wake(),
    },
  );
}

function requestLoop(parts: LoopParts): ClaimLoop<DueRequest> {
  const { deps, requestLog } = parts;
  const { log, metrics } = parts.context;
  const foreign = { log, countForeignAttempt: () => metrics.countForeignAttempt() };
  const apply: ApplyDeps = {
    clock: deps.clock,
    wake: deps.wake,
    log: requestLog,
    async endRecovery(key, why) {
      await stopPayment(deps, { ...key, ...why, waits: false });
    },
    noteForeignAttempt: (attempt) => noteForeignAttempt(foreign, attempt),
  };
  return start(
    parts,
    'requests',
    {
      claim: (input) => requestLog.claimDue(input),
      run: (requests) => applyRequests(apply, requests),
      merchantOf: (request) => request.merchantId,
      failed: failedAs(parts, (request) => ({ kind: 'request', id: request.sequence.toString() })),
      dueAt: (request) => request.receivedAt,
      spanOf: spanOfRequest,
    },
    {
      leaseMs: Math.min(maxRequestLeaseMs, parts.context.config.attemptLeaseMs),
      concurrency: requestGroup,
      perMerchant: requestGroup,
      claimWorth: requestGroup,
      group: requestGroup,
      ...pollsOf(parts),
    },
  );
}

function paymentLoop(parts: LoopParts): ClaimLoop<DuePayment> {
  const { deps } = parts;
  return start(
    parts,
    'attempts',
    {
      claim: (input) => unlessHeld(parts, () => deps.payments.claimDue(input)),
      run: (payments, hold) => each(payments, (payment) => runDuePayment(deps, payment, hold)),
      merchantOf: (due) => due.payment.merchantId,
      failed: ({ payment }, failure) =>
        parts.setAside.noteFailure({
          kind: 'payment',
          merchantId: payment.merchantId,
          id: payment.invoiceId,
          ...failure,
        }),
      dueAt: (due) => due.dueAt,
      spanOf: spanOfPayment,
    },
    attemptSettings(parts),
  );
}

function deliveryLoop(parts: LoopParts): ClaimLoop<DueDelivery> {
  const nameOf = (delivery: DueDelivery) => ({ kind: 'delivery', id: delivery.eventId }) as const;
  return startDeliveries(parts, parts.deliveries, nameOf);
}

function endpointDeliveryLoop(parts: LoopParts): ClaimLoop<DueDelivery> {
  const nameOf = ({ eventId, endpointId }: DueDelivery) =>
    ({ kind: 'endpoint_delivery', id: `${eventId}:${endpointId}` }) as const;
  return startDeliveries(parts, parts.endpointDeliveries, nameOf);
}

function startDeliveries(
  parts: LoopParts,
  deliveries: DeliveryStore,
  nameOf: Parameters<typeof failedAs<DueDelivery>>[1],
): ClaimLoop<DueDelivery> {
  const { config, metrics } = parts.context;
  const deps = {
    ...parts.deps,
    deliveries,
    countSend: (result: DeliveryResult) => metrics.countDelivery(result),
  };
  return start(
    parts,
    'deliveries',
    {
      claim: (input) => deliveries.claimDue(input),
      run: (due) => each(due, (delivery) => deliverEvent(deps, delivery)),
      merchantOf: (delivery) => delivery.merchantId,
      failed: failedAs(parts, nameOf),
      dueAt: (delivery) => delivery.dueAt,
      spanOf: spanOfDelivery,
    },
    {
      ...attemptSettings(parts),
      leaseMs: config.deliveryLeaseMs,
      concurrency: config.deliveryConcurrency,
      claimWorth: Math.max(1, Math.floor(config.deliveryConcurrency / 4)),
    },
  );
}

function unknownChargeLoop(parts: LoopParts): ClaimLoop<UnknownCharge> {
  const deps = { ...parts.deps, unknownCharges: parts.unknownCharges };
  return start(
    parts,
    'settlements',
    {
      claim: (input) => unlessHeld(parts, () => parts.unknownCharges.claimDue(input)),
      run: (charges, hold) => each(charges, (charge) => resolveUnknown(deps, charge, hold)),
      merchantOf: (charge) => charge.merchantId,
      failed: failedAs(parts, (charge) => ({
        kind: 'charge',
        id: charge.transaction.idempotencyKey,
      })),
      dueAt: (charge) => charge.dueAt,
      spanOf: spanOfUnknownCharge,
    },
    attemptSettings(parts),
  );
}

/** After a restored backup nothing is charged before what was charged since is recorded. */
async function unlessHeld<Item>(
  { context }: LoopParts,
  claim: () => Promise<DueItems<Item>>,
): Promise<DueItems<Item>> {
  return (await context.restoreHold?.isHeld()) === true ? { items: [], isAll: true } : claim();
}

/** How the failure of an item is counted in its own row. */
function failedAs<Item extends { readonly merchantId: string }>(
  parts: LoopParts,
  nameOf: (item: Item) => { readonly kind: WorkKind; readonly id: string },
): DueWork<Item>['failed'] {
  return (item, failure) =>
    parts.setAside.noteFailure({ ...nameOf(item), merchantId: item.merchantId, ...failure });
}

function attemptSettings(parts: LoopParts): ClaimLoopSettings {
  const { config } = parts.context;
  return {
    leaseMs: config.attemptLeaseMs,
    concurrency: config.attemptConcurrency,
    perMerchant: config.perMerchantConcurrency,
    claimWorth: Math.max(1, Math.floor(config.attemptConcurrency / 4)),
    group: 1,
    ...pollsOf(parts),
    // In simulations nobody waits by the machine's time.
    ...(parts.context.simulated === undefined && { parking: parkingOf(config.attemptConcurrency) }),
  };
}

/** Three times as many may wait for servers as are worked on. */
function parkingOf(concurrency: number): ParkingSettings {
  return { afterMs: parkAfterMs, slowAfterMs, max: 3 * concurrency };
}

function pollsOf({ context }: LoopParts): Pick<ClaimLoopSettings, 'pollMs' | 'leftOutPollMs'> {
  const pollMs = context.simulated?.pollMs;
  return { pollMs: pollMs ?? pollDefaultMs, leftOutPollMs: pollMs ?? leftOutPollMs };
}

function start<Item>(
  parts: LoopParts,
  queue: Queue,
  work: Omit<DueWork<Item>, 'name'> & {
    dueAt(item: Item): Date;
    spanOf(item: Item): SpanOf | undefined;
  },
  settings: ClaimLoopSettings,
): ClaimLoop<Item> {
  const { clock, engineTime: time, log, metrics, tracing } = parts.context;
  const traced = traceWork(tracing, work.spanOf, measured(metrics, clock, queue, work));
  return startClaimLoop({ clock, time, log }, traced, settings);
}

async function each<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  for (const item of items) await run(item);
}
