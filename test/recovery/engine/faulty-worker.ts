import type { EngineWorld } from '../../kits/engine.ts';
import { changedGateways } from '../../kits/gateways.ts';
import type { Worker, WorkerDeps } from '../../kits/worker.ts';

/** Everything that a worker does outside its own memory. */
export const operations = [
  'claim_requests',
  'add',
  'finish',
  'claim_payments',
  'check',
  'begin',
  'charge',
  'record',
  'claim_unknown',
  'look_up',
  'claim_deliveries',
  'send',
  'record_delivery',
] as const;
export type Operation = (typeof operations)[number];

/** A moment in a worker's life: just before or after it does something, for the nth time. */
export interface Moment {
  readonly operation: Operation;
  readonly when: 'before' | 'after';
  readonly nth: number;
}

type Hook = (operation: Operation, when: Moment['when']) => Promise<void>;

/** A worker to which `strikes` happens at that moment, once. */
export function workerStruckAt(
  world: EngineWorld,
  moment: Moment,
  strikes: () => Promise<void>,
  change: Partial<WorkerDeps> = {},
): Worker & { readonly wasStruck: () => boolean } {
  let count = 0;
  let struck = false;
  const hook: Hook = async (operation, when) => {
    if (operation !== moment.operation || when !== moment.when) return;
    count += 1;
    if (count !== moment.nth) return;
    struck = true;
    await strikes();
  };
  return {
    ...world.worker((deps) => ({ ...hooked(deps, hook), ...change })),
    wasStruck: () => struck,
  };
}

/** A worker that dies at that moment: whatever it tries afterwards comes to nothing. */
export function workerThatDies(
  world: EngineWorld,
  moment: Moment,
  change: Partial<WorkerDeps> = {},
) {
  let isDead = false;
  let count = 0;
  const hook: Hook = async (operation, when) => {
    if (operation === moment.operation && when === moment.when) count += 1;
    if (count >= moment.nth) isDead = true;
    if (isDead) throw new Error('the worker is dead');
  };
  const worker = world.worker((deps) => ({
    ...change,
    ...hooked({ ...deps, ...change }, hook),
  }));
  return { ...worker, isDead: () => isDead };
}

function hooked(deps: WorkerDeps, hook: Hook): Partial<WorkerDeps> {
  const around =
    <Args extends readonly unknown[], Result>(
      operation: Operation,
      work: (...args: Args) => Promise<Result>,
    ) =>
    async (...args: Args): Promise<Result> => {
      await hook(operation, 'before');
      const result = await work(...args);
      await hook(operation, 'after');
      return result;
    };
  const { payments, requestLog, deliveries, unknownCharges, merchantClient } = deps;
  return {
    requestLog: {
      ...requestLog,
      claimDue: around('claim_requests', requestLog.claimDue),
      add: around('add', requestLog.add),
      finish: around('finish', requestLog.finish),
    },
    payments: {
      ...payments,
      claimDue: around('claim_payments', payments.claimDue),
      beginCharge: around('begin', payments.beginCharge),
      record: around('record', payments.record),
    },
    unknownCharges: {
      ...unknownCharges,
      claimDue: around('claim_unknown', unknownCharges.claimDue),
    },
    deliveries: {
      claimDue: around('claim_deliveries', deliveries.claimDue),
      record: around('record_delivery', deliveries.record),
    },
    merchantClient: {
      askRetryStatus: around('check', merchantClient.askRetryStatus),
      sendWebhook: around('send', merchantClient.sendWebhook),
    },
    ...changedGateways(deps, (gateway) => ({
      charge: around('charge', gateway.charge),
      lookUp: around('look_up', gateway.lookUp),
    })),
  };
}
