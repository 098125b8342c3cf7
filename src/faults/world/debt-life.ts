import { dayMs, hourMs, secondMs } from '../../domain/clock.ts';
import { uuidFrom } from '../../domain/ids.ts';
import type { Issuer } from '../psps/issuer.ts';
import type { StripeAccount } from '../psps/stripe/stripe-account.ts';
import type { StripePsp } from '../psps/stripe/stripe-psp.ts';
import type { WorldRecord } from '../record.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import { type Debt, reportOf } from './debts.ts';
import type { ServiceCalls } from './service-calls.ts';
import type { SimulatedMerchant } from './simulated-merchant.ts';
import type { Told } from './told.ts';

export interface DebtDeps {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly calls: ServiceCalls;
  readonly record: WorldRecord;
  readonly issuer: Issuer;
  readonly stripe: StripePsp;
  readonly merchants: readonly SimulatedMerchant[];
  readonly told: Told[];
}

const maxStopAfterYesMs = 5 * secondMs;

/** What happens around one debt: its first charge fails, it is reported, stopped, paid elsewhere. */
export class DebtLife {
  readonly #deps: DebtDeps;
  readonly #debt: Debt;
  readonly #draws: Draws;
  /** Its merchant's when it began: the invoice stays there. */
  #accountName = '';
  #isStopAsked = false;

  constructor(deps: DebtDeps, debt: Debt) {
    this.#deps = deps;
    this.#debt = debt;
    this.#draws = deps.draws.fork(debt.debtId);
  }

  begin(): void {
    const { issuer } = this.#deps;
    const { cards, psp, customer } = this.#debt;
    this.#accountName = this.#merchant().stripeAccount;
    for (const { methodId, card } of cards) issuer.cards.set(methodId, card);
    if (psp === 'stripe') {
      for (const { methodId } of cards) this.#account().addMethod(methodId, customer);
    }
    const chargeId = this.#firstCharge();
    this.#becomeKnown();
    this.#planReports(chargeId);
    this.#planPspRetries();
  }

  #becomeKnown(): void {
    const merchant = this.#merchant();
    const { debtId, owedMinor, invoiceId, psp, pspInvoiceId, cards } = this.#debt;
    const methodIds = cards.map(({ methodId }) => methodId);
    const invoiceIds = [...new Set([invoiceId, `inv_${debtId}`])];
    const onYes = () => this.#stopWhenAsked();
    const known = { debtId, owedMinor, methodIds, isPaidElsewhere: false, onYes };
    for (const name of invoiceIds) merchant.debts.set(name, known);
    this.#deps.record.debts.push({
      debtId,
      merchantId: merchant.merchantId,
      psp,
      invoiceIds,
      livesAtPsp: pspInvoiceId !== undefined,
      owedMinor,
      currency: 'USD',
      methodIds,
    });
  }

  #firstCharge(): string {
    const { debtId, pspInvoiceId, cards, customer, owedMinor } = this.#debt;
    const [first] = cards;
    if (pspInvoiceId === undefined || first === undefined) return `ch_first_${debtId}`;
    return this.#account().failInvoice({
      invoiceId: pspInvoiceId,
      customer,
      subscription: `sub_${debtId}`,
      amountMinor: owedMinor,
      currency: 'usd',
      methodId: first.methodId,
    }).chargeId;
  }

  #planReports(chargeId: string): void {
    const { reports, stopMs, foreignMs } = this.#debt;
    for (const { invoiceId, atMs } of reports) {
      this.#at(atMs, () => this.#report({ invoiceId, chargeId, success: false, atMs }));
    }
    if (stopMs !== undefined) this.#at(stopMs, () => this.#stop());
    if (foreignMs !== undefined) this.#at(foreignMs, () => this.#payElsewhere());
  }

  #planPspRetries(): void {
    const { pspInvoiceId, pspRetriesMs, cards } = this.#debt;
    const [first] = cards;
    if (pspInvoiceId === undefined || first === undefined) return;
    for (const atMs of pspRetriesMs) {
      this.#at(atMs, () => this.#account().retryInvoice(pspInvoiceId, first.methodId));
    }
  }

  /** Told again, it is the same report: of the same moment. */
  #report(reported: Parameters<typeof reportOf>[1]): void {
    const { scheduler, calls, record, told } = this.#deps;
    const { merchantId } = this.#merchant();
    const { debtId } = this.#debt;
    const uuid = uuidFrom(this.#draws.bytes(16));
    const body = reportOf(this.#debt, reported);
    calls.make({
      what: `a report of ${debtId}`,
      work: ({ recovery }) => recovery.acceptPayment({ merchantId, body, uuid }),
      onAnswer: () => {
        const atMs = scheduler.nowMs();
        record.requests.push({ merchantId, uuid, debtId, atMs });
        told.push({ atMs, again: () => this.#report(reported) });
        return true;
      },
    });
  }

  /** About when the answer arrives and the charge is begun. */
  #stopWhenAsked(): void {
    if (!this.#debt.stopsWhenAsked || this.#isStopAsked) return;
    this.#isStopAsked = true;
    const afterMs = this.#draws.unit() ** 2 * maxStopAfterYesMs;
    this.#deps.scheduler.after(afterMs, () => this.#stop());
  }

  #stop(): void {
    const { scheduler, calls, record, told } = this.#deps;
    const { merchantId } = this.#merchant();
    const { invoiceId, debtId } = this.#debt;
    calls.make({
      what: `a stop of ${debtId}`,
      work: ({ recovery }) => recovery.stopPayment({ merchantId, invoiceId, reason: 'asked to' }),
      onAnswer: ({ kind }) => {
        const atMs = scheduler.nowMs();
        if (kind === 'stopped') record.stops.push({ merchantId, invoiceId, atMs });
        told.push({ atMs, again: () => this.#stop() });
        return true;
      },
    });
  }

  /** The payer pays the merchant some other way; the merchant knows at once, and tells us later. */
  #payElsewhere(): void {
    const { scheduler, record } = this.#deps;
    const { debtId, invoiceId, cards, psp, owedMinor } = this.#debt;
    const known = this.#merchant().debts.get(invoiceId);
    const [first] = cards;
    const isPaid = record.charges.some(
      (charge) => charge.debtId === debtId && charge.state === 'succeeded',
    );
    if (known === undefined || first === undefined || isPaid) return;
    known.isPaidElsewhere = true;
    const chargeId = `ch_foreign_${debtId}`;
    const atMs = scheduler.nowMs();
    record.charges.push({
      psp,
      account: 'elsewhere',
      chargeId,
      debtId,
      origin: 'foreign',
      key: '',
      methodId: first.methodId,
      amountMinor: owedMinor,
      currency: 'USD',
      state: 'succeeded',
      atMs,
      sentMs: atMs,
    });
    // Some merchants tell of it days later, and say no meanwhile when they are asked.
    const lateMs = this.#draws.chance(0.5) ? hourMs : 5 * dayMs;
    const tellMs = atMs + Math.ceil(this.#draws.unit() * lateMs);
    const paid = { invoiceId, chargeId, success: true, atMs: tellMs };
    this.#at(tellMs, () => this.#report(paid));
  }

  #at(atMs: number, action: () => void): void {
    const { scheduler } = this.#deps;
    scheduler.after(atMs - scheduler.nowMs(), action);
  }

  #merchant(): SimulatedMerchant {
    const merchant = this.#deps.merchants[this.#debt.merchant];
    if (merchant === undefined) throw new Error('a debt belongs to a merchant');
    return merchant;
  }

  #account(): StripeAccount {
    return this.#deps.stripe.account(this.#accountName);
  }
}
