import type {
  ConfirmMatch,
  DisputeDetail,
  DisputeRecord,
  IncomingDispute,
} from '../../disputes/dispute-ports.ts';
import { ingestDispute } from '../../disputes/ingest-dispute.ts';
import { lookUpDispute, lookUpDue } from '../../disputes/look-up-dispute.ts';
import { findMatch, matchAgain } from '../../disputes/match-dispute.ts';
import type { DisputesApi } from '../../http/disputes/caller.ts';
import type { EngineDeps } from '../../recovery/engine/deps.ts';
import { type StopDeps, stopPayment } from '../../recovery/engine/stop-payment.ts';
import type { Database } from '../../store/database.ts';
import { createDisputeStore } from '../../store/disputes/dispute-store.ts';
import { createEmailHasher } from '../../store/disputes/email-hasher.ts';
import { wasAccepted } from '../../store/disputes/evidence/submission-store.ts';
import { findDisputedPayments } from '../../store/disputes/find-disputed-payments.ts';
import { createMatchStore } from '../../store/disputes/matching/match-store.ts';
import type { Sealer } from '../../store/sealing/sealer.ts';
import { domainNames } from './analytics.ts';

/**
 * The disputes part of the service, joined with the recovery that it stops. The two rings know nothing
 * of each other: a dispute stops what is open at once here, and what begins at the same moment is caught
 * by `begin_charges`, which asks for disputes again under the payment's lock.
 */
export interface DisputesModule {
  readonly store: ReturnType<typeof createDisputeStore>;
  /** What a PSP tells. */
  ingest(input: Omit<IncomingDispute, 'origin'>): Promise<void>;
  /** Takes it in that a dispute was accepted, as if its PSP told of it. */
  noteAccepted(dispute: DisputeDetail, at: Date): Promise<void>;
  /** What merchants' calls ask. */
  readonly api: DisputesApi;
  /** What jobs do: each gives how many disputes there were. */
  matchAgain(input: Parameters<typeof matchAgain>[1]): Promise<number>;
  lookUpDue(input: Parameters<typeof lookUpDue>[1]): Promise<number>;
}

export function createDisputesModule(parts: {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly engine: {
    readonly deps: Pick<EngineDeps, 'random' | 'clock' | 'findGateway'> & StopDeps;
  };
}): DisputesModule {
  const { db, sealer, engine } = parts;
  const { clock, random } = engine.deps;
  const store = createDisputeStore({ db });
  const matching = { clock, matches: createMatchStore({ db }), disputes: store };
  const deps = {
    clock,
    random,
    disputes: store,
    wasAccepted: (of: Parameters<typeof wasAccepted>[1]) => wasAccepted(db, of),
    hashEmail: createEmailHasher({ db, sealer, random, clock, domainNames }),
    askPsp: async (
      account: Parameters<EngineDeps['findGateway']>[0],
      question: Parameters<Gateway['lookUpDispute']>[0],
    ) => (await engine.deps.findGateway(account))?.lookUpDispute(question),
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
  const confirmMatch = (input: ConfirmMatch) =>
    matching.matches.confirm({ ...input, at: clock.now() });
  const done = (record: DisputeRecord) => findMatch(matching, record);
  const ingest = async (input: IncomingDispute) => {
    const kept = await ingestDispute(deps, input);
    if (kept !== undefined) await done(await lookUpDispute(deps, kept));
    return kept;
  };
  return {
    store,
    async ingest(input) {
      await ingest({ ...input, origin: 'psp' });
    },
    async noteAccepted({ merchantId, psp, pspDisputeId, state, facts }, at) {
      if (state.kind !== 'dispute') return;
      const { openedAt, paymentIds } = facts;
      const told = { kind: state.kind, stage: state.stage, status: 'accepted' } as const;
      const dispute = { pspDisputeId, openedAt, paymentIds, ...told };
      await ingest({ merchantId, psp, origin: 'psp', dispute, occurredAt: at });
    },
    api: {
      list: ({ merchantId, ...asked }) => store.list({ ...asked, merchantIds: [merchantId] }),
      show: store.show,
      confirmMatch,
      report: async (input) => (await ingest({ ...input, origin: 'merchant' }))?.disputeId,
    },
    matchAgain: (input) => matchAgain({ ...matching, stopRetries: deps.stopRetries }, input),
    lookUpDue: (input) => lookUpDue({ ...deps, done }, input),
  };
}

type Gateway = NonNullable<Awaited<ReturnType<EngineDeps['findGateway']>>>;
