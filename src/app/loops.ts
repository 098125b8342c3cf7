import { minuteMs } from '../domain/clock.ts';
import {
  type ClaimLoop,
  type ClaimLoopSettings,
  type DueWork,
  startClaimLoop,
} from '../jobs/claim-loop.ts';
import type { Queue } from '../metrics.ts';
import { runDuePayment } from '../recovery/engine/attempt-payment.ts';
import { deliverEvent } from '../recovery/engine/deliver-event.ts';
import type { EngineDeps, Wake } from '../recovery/engine/deps.ts';
import { settleUnknown } from '../recovery/engine/settle-unknown.ts';
import { type StopDeps, stopPayment } from '../recovery/engine/stop-payment.ts';
import type { DeliveryStore, UnknownChargeStore } from '../recovery/engine-ports.ts';
import { type ApplyDeps, applyRequests } from '../recovery/intake/apply-requests.ts';
import { noteForeignAttempt } from '../recovery/intake/note-foreign-attempt.ts';
import type { RequestLog } from '../recovery/intake-ports.ts';
import type { AppContext } from './context.ts';
import { measured } from './measured.ts';

export interface LoopParts {
  readonly context: AppContext;
  readonly deps: EngineDeps & StopDeps;
  readonly requestLog: RequestLog;
  readonly deliveries: DeliveryStore;
  readonly unknownCharges: UnknownChargeStore;
}

/** How long due work of another process, or due by time alone, may wait to be seen. */
const pollMs = 250;
/** Applying takes milliseconds; a dead worker's requests wait for others no longer than its attempts. */
const requestLeaseMostMs = minuteMs;
/** Requests that are applied in one transaction. */
const requestGroup = 500;

type NamedLoop = readonly [name: keyof Wake, loop: ClaimLoop];

/** One loop for each table whose rows are jobs. */
export function startLoops(parts: LoopParts): readonly NamedLoop[] {
  return [
    ['requests', requestLoop(parts)],
    ['payments', paymentLoop(parts)],
    ['deliveries', deliveryLoop(parts)],
    ['unknownCharges', unknownChargeLoop(parts)],
  ];
}

function requestLoop(parts: LoopParts): ClaimLoop {
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
      dueAt: (request) => request.receivedAt,
    },
    {
      leaseMs: Math.min(requestLeaseMostMs, parts.context.config.attemptLeaseMs),
      concurrency: requestGroup,
      perMerchant: requestGroup,
      claimWorth: requestGroup,
      group: requestGroup,
      pollMs,
    },
  );
}

function paymentLoop(parts: LoopParts): ClaimLoop {
  const { deps } = parts;
  return start(
    parts,
    'attempts',
    {
      claim: (input) => deps.payments.claimDue(input),
      run: (payments) => each(payments, (payment) => runDuePayment(deps, payment)),
      merchantOf: (due) => due.payment.merchantId,
      dueAt: (due) => due.dueAt,
    },
    attemptSettings(parts),
  );
}

function deliveryLoop(parts: LoopParts): ClaimLoop {
  const { config } = parts.context;
  const deps = { ...parts.deps, deliveries: parts.deliveries };
  return start(
    parts,
    'deliveries',
    {
      claim: (input) => parts.deliveries.claimDue(input),
      run: (deliveries) => each(deliveries, (delivery) => deliverEvent(deps, delivery)),
      merchantOf: (delivery) => delivery.merchantId,
      dueAt: (delivery) => delivery.dueAt,
    },
    {
      ...attemptSettings(parts),
      leaseMs: config.deliveryLeaseMs,
      concurrency: config.deliveryConcurrency,
      claimWorth: Math.max(1, Math.floor(config.deliveryConcurrency / 4)),
    },
  );
}

function unknownChargeLoop(parts: LoopParts): ClaimLoop {
  const deps = { ...parts.deps, unknownCharges: parts.unknownCharges };
  return start(
    parts,
    'settlements',
    {
      claim: (input) => parts.unknownCharges.claimDue(input),
      run: (charges) => each(charges, (charge) => settleUnknown(deps, charge)),
      merchantOf: (charge) => charge.merchantId,
      dueAt: (charge) => charge.dueAt,
    },
    attemptSettings(parts),
  );
}

function attemptSettings(parts: LoopParts): ClaimLoopSettings {
  const { config } = parts.context;
  return {
    leaseMs: config.attemptLeaseMs,
    concurrency: config.attemptConcurrency,
    perMerchant: config.perMerchantConcurrency,
    claimWorth: Math.max(1, Math.floor(config.attemptConcurrency / 4)),
    group: 1,
    pollMs,
  };
}

function start<Item>(
  parts: LoopParts,
  queue: Queue,
  work: Omit<DueWork<Item>, 'name'> & { dueAt(item: Item): Date },
  settings: ClaimLoopSettings,
): ClaimLoop {
  const { clock, log, metrics } = parts.context;
  return startClaimLoop({ clock, log }, measured(metrics, clock, queue, work), settings);
}

async function each<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
): Promise<void> {
  for (const item of items) await run(item);
}
