import { createHash, createHmac } from 'node:crypto';
import type { WorldRecord } from '../record.ts';
import type { Draws } from '../schedule/draws.ts';
import type { WireAnswer, WireRequest, WireServer } from '../wire/wire.ts';

/** A debt as its merchant knows it. */
export interface MerchantsDebt {
  readonly debtId: string;
  readonly owedMinor: number;
  readonly methodIds: readonly string[];
  /** Paid some other way, as the merchant knows: it says no from then on. */
  isPaidElsewhere: boolean;
  /** What else its merchant does the moment that it says yes. */
  readonly onYes?: () => void;
}

/** How a merchant's server behaves, as shares of its answers. */
export interface MerchantManners {
  readonly failing: number;
  readonly malformed: number;
  readonly limiting: number;
  readonly amountChanges: number;
  readonly namesMethods: number;
  /** Says yes also to what it was told is paid. */
  readonly forgetful: boolean;
  /** Webhooks that are taken and answered with a failure. */
  readonly deaf: number;
}

export const goodManners: MerchantManners = {
  failing: 0,
  malformed: 0,
  limiting: 0,
  amountChanges: 0,
  namesMethods: 0,
  forgetful: false,
  deaf: 0,
};

export interface SimulatedMerchant extends WireServer {
  readonly origin: string;
  merchantId: string;
  signingSecret: string;
  /** The account at Stripe that is connected for it. */
  stripeAccount: string;
  /** Its debts by the ids that its invoices have here. */
  readonly debts: Map<string, MerchantsDebt>;
  manners: MerchantManners;
}

interface MerchantDeps {
  readonly record: WorldRecord;
  readonly draws: Draws;
  readonly nowMs: () => number;
}

export function createSimulatedMerchant(
  deps: MerchantDeps,
  { origin, stripeAccount }: Pick<SimulatedMerchant, 'origin' | 'stripeAccount'>,
): SimulatedMerchant {
  const { record, draws, nowMs } = deps;
  const paid = new Set<string>();

  function retryStatus(request: WireRequest): WireAnswer {
    const invoiceId = decodeURIComponent(request.path.split('/').at(-1) ?? '');
    const { manners } = merchant;
    const useless = uselessAnswer(draws, manners);
    if (useless !== undefined) return useless;
    const debt = merchant.debts.get(invoiceId);
    if (debt === undefined) {
      return answer(404, { detail: 'An invoice with the provided ID cannot be found' });
    }
    const isSettled = debt.isPaidElsewhere || (!manners.forgetful && paid.has(invoiceId));
    if (isSettled) return answer(200, { retry: false, reason: 'User Recovered' });
    return yes(invoiceId, debt);
  }

  function yes(invoiceId: string, debt: MerchantsDebt): WireAnswer {
    const { manners } = merchant;
    const amountMinor = amountOf(draws, manners, debt);
    const methodIds = draws.chance(manners.namesMethods)
      ? debt.methodIds.filter(() => draws.chance(0.7))
      : [];
    const { merchantId } = merchant;
    debt.onYes?.();
    record.yeses.push({ merchantId, invoiceId, amountMinor, methodIds, atMs: nowMs() });
    return answer(200, {
      retry: true,
      reason: 'owed',
      ...(amountMinor !== debt.owedMinor && { amount: amountMinor / 100 }),
      ...(methodIds.length !== 0 && { payment_methods: methodIds.map((id) => ({ id })) }),
    });
  }

  function webhook(request: WireRequest): WireAnswer {
    const { headers, body } = request;
    record.inbox.push({
      merchantId: merchant.merchantId,
      dedupId: headers['x-service-webhook-deduplication-id'] ?? '',
      type: headers['x-service-webhook-type'] ?? '',
      body,
      atMs: nowMs(),
      isSigned: isSigned(merchant.signingSecret, request),
    });
    const event = JSON.parse(body) as { invoice_id?: string; success?: boolean };
    if (event.success === true && event.invoice_id !== undefined) paid.add(event.invoice_id);
    return draws.chance(merchant.manners.deaf)
      ? answer(500, { detail: 'Server is unavailable' })
      : answer(200, { detail: 'Event delivered successfully' });
  }

  const merchant: SimulatedMerchant = {
    origin,
    merchantId: '',
    signingSecret: '',
    stripeAccount,
    debts: new Map(),
    manners: goodManners,
    handle(request, fault) {
      if (fault === 'error_before') return answer(500, { detail: 'A server error has occurred' });
      const given = request.path.startsWith('/retry/') ? retryStatus(request) : webhook(request);
      return fault === 'error_after' ? answer(502, {}) : given;
    },
  };
  return merchant;
}

function amountOf(draws: Draws, manners: MerchantManners, { owedMinor }: MerchantsDebt): number {
  if (!draws.chance(manners.amountChanges)) return owedMinor;
  return Math.max(1, Math.floor(owedMinor * draws.pick([0.5, 0.9, 1.5])));
}

function uselessAnswer(draws: Draws, manners: MerchantManners): WireAnswer | undefined {
  if (draws.chance(manners.failing)) return answer(500, { detail: 'A server error has occurred' });
  if (draws.chance(manners.limiting)) return answer(429, { detail: 'Too many requests' });
  return draws.chance(manners.malformed) ? { status: 200, body: '{"retry": "yes' } : undefined;
}

/** As the interface says: over the body and the expiration, in hex. */
function isSigned(secret: string, { headers, body }: WireRequest): boolean {
  const expiration = headers['x-service-webhook-expiration'] ?? '';
  const wanted = createHmac('sha256', secret).update(body).update(expiration).digest('hex');
  return headers['x-service-webhook-signature'] === wanted;
}

/** What the interface says of a deduplication id, for those who compare. */
export function dedupIdOf(eventId: string): string {
  return createHash('md5').update(eventId).digest('hex');
}

function answer(status: number, body: unknown): WireAnswer {
  return { status, body: JSON.stringify(body) };
}
