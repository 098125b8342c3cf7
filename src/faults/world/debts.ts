import { dayMs, hourMs, minuteMs } from '../../domain/clock.ts';
import type { PaymentEventBody } from '../../domain/payment-event.ts';
import type { DeclineCode, WorldCard } from '../psps/issuer.ts';
import type { Draws } from '../schedule/draws.ts';

export type DebtPsp = 'sandbox' | 'stripe' | 'worldpay';

/** A debt of the world, and what will happen around it. Instants in milliseconds of the world. */
export interface Debt {
  readonly debtId: string;
  /** Which of the merchants. */
  readonly merchant: number;
  readonly psp: DebtPsp;
  /** The merchant's own id of the invoice, and the PSP's where it lives there. */
  readonly invoiceId: string;
  readonly pspInvoiceId: string | undefined;
  readonly customer: string;
  readonly cards: readonly { readonly methodId: string; readonly card: WorldCard }[];
  readonly owedMinor: number;
  readonly failedMs: number;
  /** Names that it is reported by, with the time of each report. */
  readonly reports: readonly { readonly invoiceId: string; readonly atMs: number }[];
  /** Stripe tells of it by webhook too. */
  readonly hasWebhook: boolean;
  readonly stopMs: number | undefined;
  /** Its merchant stops it just when it has said yes to a charge. */
  readonly stopsWhenAsked: boolean;
  readonly foreignMs: number | undefined;
  /** Stripe's own tries. */
  readonly pspRetriesMs: readonly number[];
}

export interface DebtsInput {
  readonly count: number;
  readonly startMs: number;
  readonly days: number;
  readonly twoChannels: number;
  readonly livesAtPsp: number;
  readonly foreign: number;
  readonly stops: number;
  readonly stopsWhenAsked: number;
  readonly isStripeSilent: boolean;
}

/** Failures come in the first quarter, so that their windows end about when the simulation does. */
export function drawDebts(draws: Draws, input: DebtsInput): readonly Debt[] {
  return Array.from({ length: input.count }, (_, index) => drawDebt(draws, input, index));
}

function drawDebt(draws: Draws, input: DebtsInput, index: number): Debt {
  const debtId = `d${index + 1}`;
  const psp = draws.pick<DebtPsp>(['sandbox', 'stripe', 'stripe', 'worldpay']);
  const livesThere = psp === 'stripe' && draws.chance(input.livesAtPsp);
  const failedMs = input.startMs + hourMs + Math.floor(draws.unit() * (input.days / 4) * dayMs);
  const pspInvoiceId = livesThere ? `in_${debtId}` : undefined;
  const invoiceId = pspInvoiceId ?? `inv_${debtId}`;
  const byTwo = draws.chance(input.twoChannels);
  const reportedMs = failedMs + draws.whole(1, 10) * minuteMs;
  const hasWebhook = livesThere && draws.chance(0.7) && !input.isStripeSilent;
  const later = () => failedMs + Math.floor(draws.unit() * 20 * dayMs);
  return {
    debtId,
    merchant: draws.whole(0, 1),
    psp,
    invoiceId,
    pspInvoiceId,
    customer: `cus_${debtId}`,
    cards: Array.from({ length: draws.whole(1, 3) }, (_, nth) => ({
      methodId: `pm_${debtId}_${nth + 1}`,
      card: drawCard(draws, debtId, failedMs),
    })),
    owedMinor: draws.whole(100, 9_999),
    failedMs,
    reports: reportsOf(draws, { invoiceId, debtId, reportedMs, byTwo, hasWebhook }),
    hasWebhook,
    stopMs: draws.chance(input.stops) ? later() : undefined,
    stopsWhenAsked: draws.fork(`${debtId} asked`).chance(input.stopsWhenAsked),
    foreignMs: !livesThere && draws.chance(input.foreign) ? later() : undefined,
    pspRetriesMs: livesThere ? [3, 5, 7].map((day) => failedMs + day * dayMs) : [],
  };
}

/** One report at least, unless the PSP's webhook tells of it. */
function reportsOf(
  draws: Draws,
  input: {
    readonly invoiceId: string;
    readonly debtId: string;
    readonly reportedMs: number;
    readonly byTwo: boolean;
    readonly hasWebhook: boolean;
  },
): Debt['reports'] {
  const { invoiceId, debtId, reportedMs, byTwo, hasWebhook } = input;
  if (hasWebhook && !byTwo) return [];
  const first = { invoiceId, atMs: reportedMs };
  // The merchant's own name of an invoice that its PSP calls otherwise.
  const otherName = {
    invoiceId: `inv_${debtId}`,
    atMs: reportedMs + draws.whole(0, 600) * minuteMs,
  };
  return byTwo ? draws.pick([[first, otherName], [otherName, first], [otherName]]) : [first];
}

function drawCard(draws: Draws, debtId: string, failedMs: number): WorldCard {
  const code = draws.pick<DeclineCode>([
    'insufficient_funds',
    'insufficient_funds',
    'insufficient_funds',
    'do_not_honor',
    'expired',
    'stolen',
  ]);
  const goodFromMs = draws.chance(0.25)
    ? Number.POSITIVE_INFINITY
    : failedMs + Math.floor(draws.unit() * 20 * dayMs);
  return { debtId, goodFromMs, code };
}

/** A debt's failed or paid billing attempt, as its merchant reports it. */
export function reportOf(
  debt: Debt,
  input: {
    readonly invoiceId: string;
    readonly chargeId: string;
    readonly success: boolean;
    readonly atMs: number;
  },
): PaymentEventBody {
  const at = new Date(input.atMs).toISOString();
  return {
    customer: { id: debt.customer, psp_id: debt.customer },
    subscription: { id: `sub_${debt.debtId}`, start_date: '2026-01-01T00:00:00Z' },
    invoice: { id: input.invoiceId, created_at: at },
    transactions: debt.cards.map(({ methodId }, index) => ({
      id: `txn_${input.success ? 'paid_' : ''}${debt.debtId}_${index + 1}`,
      psp_transaction_id: index === 0 ? input.chargeId : `${input.chargeId}_${index + 1}`,
      psp: debt.psp,
      acquirer_country: 'US',
      amount: debt.owedMinor / 100,
      currency: 'USD',
      funding_source: 'CREDIT',
      payment_method_id: methodId,
      psp_transaction_created_at: at,
      scheme: 'Visa',
      success: input.success && index === 0,
      outcome: { raw_response_message: '51: insufficient funds' },
      ...(debt.psp === 'worldpay' && { network_transaction_id: `nt${index}`, mid: 'm1' }),
    })),
  };
}
