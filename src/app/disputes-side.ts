import type { DisputeStore, IncomingDispute } from '../disputes/dispute-ports.ts';
import { findMatch } from '../disputes/match-dispute.ts';
import { takeInDispute } from '../disputes/take-in-dispute.ts';
import type { DisputesApi } from '../http/disputes/endpoint.ts';
import type { EngineDeps } from '../recovery/engine/deps.ts';
import { type StopDeps, stopPayment } from '../recovery/engine/stop-payment.ts';
import type { Database } from '../store/database.ts';
import { createDisputeStore } from '../store/disputes/dispute-store.ts';
import { findDisputedPayments } from '../store/disputes/find-disputed-payments.ts';
import { createMatchStore } from '../store/disputes/match-store.ts';

/** The disputes side of the service, joined with the recovery that it stops. */
export interface DisputesSide {
  readonly store: DisputeStore;
  /** What a PSP tells. */
  takeIn(input: Omit<IncomingDispute, 'origin'>): Promise<void>;
  /** What merchants' calls ask. */
  readonly api: DisputesApi;
}

export function createDisputesSide(parts: {
  readonly db: Database;
  readonly engine: { readonly deps: Pick<EngineDeps, 'random' | 'clock'> & StopDeps };
}): DisputesSide {
  const { db, engine } = parts;
  const store = createDisputeStore({ db });
  const matching = { clock: engine.deps.clock, matches: createMatchStore({ db }) };
  const deps = {
    clock: engine.deps.clock,
    random: engine.deps.random,
    disputes: store,
    async stopRetries(input: {
      readonly merchantId: string;
      readonly disputeId: string;
      readonly detail: string;
    }) {
      const { merchantId, detail } = input;
      for (const invoiceId of await findDisputedPayments(db, input)) {
        const stop = { merchantId, invoiceId, reason: 'disputed', detail, waits: false } as const;
        await stopPayment(engine.deps, stop);
      }
    },
  };
  return {
    store,
    async takeIn(input) {
      const record = await takeInDispute(deps, { ...input, origin: 'psp' });
      if (record !== undefined) await findMatch(matching, record);
    },
    api: {
      list: store.list,
      show: store.show,
      async report(input) {
        const record = await takeInDispute(deps, { ...input, origin: 'merchant' });
        if (record !== undefined) await findMatch(matching, record);
        return record?.disputeId;
      },
    },
  };
}
