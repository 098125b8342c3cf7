import { addMs, type Clock, hourMs } from '../../domain/clock.ts';
import type { LearnedPolicySettings, Merchant } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { Merchants } from '../engine/deps.ts';
import type { PaymentContext, PaymentStore } from '../engine-ports.ts';
import { cardFactsOf, payerCountry, paymentFactsAt } from './payer-facts.ts';
import type {
  FindLearnedPolicy,
  HealthByBin,
  LearnedContext,
  LearnedFacts,
  PayerRecord,
} from './ports.ts';

/** How far back outcomes tell whether an issuer answers now. */
const healthMs = 2 * hourMs;

export interface LearnedDeps {
  readonly clock: Clock;
  readonly merchants: Pick<Merchants, 'findMerchant'>;
  readonly facts: LearnedFacts;
  readonly findPolicy: FindLearnedPolicy;
}

/**
 * The engine's store, whose payments of merchants with the learned policy come with what it plans by.
 * A batch costs two statements more, whatever its size; other merchants' payments cost none. Read here,
 * before the plan, so that planning asks nobody and the same input gives the same plan.
 */
export function withLearnedFacts(deps: LearnedDeps, payments: PaymentStore): PaymentStore {
  return {
    ...payments,
    async claimDue(input) {
      const due = await payments.claimDue(input);
      const contexts = await learnedContexts(
        deps,
        due.items.map(({ payment }) => payment),
      );
      if (contexts.size === 0) return due;
      const items = due.items.map((item) => ({
        ...item,
        payment: withContext(item.payment, contexts),
      }));
      return { ...due, items };
    },
    async load(key) {
      const payment = await payments.load(key);
      if (payment === undefined) return undefined;
      return withContext(payment, await learnedContexts(deps, [payment]));
    },
  };
}

function withContext(
  payment: PaymentContext,
  contexts: ReadonlyMap<string, LearnedContext>,
): PaymentContext {
  const learned = contexts.get(keyOf(payment));
  return learned === undefined ? payment : { ...payment, learned };
}

async function learnedContexts(
  deps: LearnedDeps,
  payments: readonly PaymentContext[],
): Promise<ReadonlyMap<string, LearnedContext>> {
  const merchants = await learnedMerchants(deps, payments);
  if (merchants.size === 0) return new Map();
  const now = deps.clock.now();
  const mine = payments.filter(({ merchantId }) => merchants.has(merchantId));
  const [records, health] = await Promise.all([
    deps.facts.readPayers(mine, now),
    deps.facts.readHealth([...merchants.keys()], addMs(now, -healthMs), now),
  ]);
  const byKey = new Map(records.map((record) => [keyOf(record), record]));
  const contexts = mine.map(async (payment) => {
    const merchant = merchants.get(payment.merchantId);
    if (merchant === undefined) return [];
    const record = byKey.get(keyOf(payment));
    const context = await contextOf(deps, {
      payment,
      merchant,
      record,
      health: health.get(payment.merchantId),
      now,
    });
    return [[keyOf(payment), context] as const];
  });
  return new Map((await Promise.all(contexts)).flat());
}

async function learnedMerchants(
  deps: LearnedDeps,
  payments: readonly PaymentContext[],
): Promise<ReadonlyMap<string, LearnedMerchant>> {
  const ids = [...new Set(payments.map(({ merchantId }) => merchantId))];
  const found = await Promise.all(ids.map((id) => deps.merchants.findMerchant(id)));
  const learned = found.flatMap((merchant) =>
    merchant?.policy.kind === 'learned'
      ? [[merchant.merchantId, { ...merchant, policy: merchant.policy }] as const]
      : [],
  );
  return new Map(learned);
}

type LearnedMerchant = Merchant & { readonly policy: LearnedPolicySettings };

async function contextOf(
  deps: LearnedDeps,
  input: {
    readonly payment: PaymentContext;
    readonly merchant: LearnedMerchant;
    readonly record: PayerRecord | undefined;
    readonly health: HealthByBin | undefined;
    readonly now: Date;
  },
): Promise<LearnedContext> {
  const { payment, merchant, record, health, now } = input;
  const country = payerCountry(payment.currency, record);
  const policy = await deps.findPolicy({
    ...merchant.policy,
    merchantId: merchant.merchantId,
    ...present({ country }),
  });
  const cards = (record?.methods ?? []).map(
    (method) =>
      [method.paymentMethodId, cardFactsOf(method, health?.get(method.bin ?? ''))] as const,
  );
  return {
    payment: paymentFactsAt(payment, record, now),
    cards: Object.fromEntries(cards),
    policy,
  };
}

function keyOf({
  merchantId,
  invoiceId,
}: Pick<PaymentContext, 'merchantId' | 'invoiceId'>): string {
  return `${merchantId} ${invoiceId}`;
}
