import { dayMs } from '../clock.ts';
import { type Psp, pspFacts } from '../psps.ts';

/** Who reported: the merchant through the API, or its PSP by a webhook. */
export const reportChannels = ['merchant', 'psp'] as const;
export type ReportChannel = (typeof reportChannels)[number];

/** What a debt may be known by. */
export const debtNameKinds = ['invoice', 'psp_invoice', 'charge', 'period'] as const;
export type DebtNameKind = (typeof debtNameKinds)[number];

/** A failed or successful billing attempt, as far as it says of which debt it is. */
export interface DebtReport {
  readonly merchantId: string;
  readonly channel: ReportChannel;
  readonly invoiceId: string;
  readonly pspInvoiceId?: string;
  readonly invoiceCreatedAt: Date;
  readonly customerId: string;
  readonly subscriptionId: string;
  /** Billed each day: then a day does not tell one invoice from the next. */
  readonly isDaily: boolean;
  /** Of the first transaction, the one that is charged again. */
  readonly psp: Psp;
  readonly amountMinor: number;
  readonly currency: string;
  /** Every charge that it names. */
  readonly charges: readonly ReportedCharge[];
}

export interface ReportedCharge {
  readonly psp: Psp;
  readonly pspTransactionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly createdAt: Date;
}

/** One name of a debt. `mark` is what a second report has to agree with, where the name alone is not enough. */
export interface DebtName {
  readonly kind: DebtNameKind;
  readonly value: string;
  readonly mark?: string;
}

/** A name that a debt has already; `invoiceId` is the debt's. */
export interface KnownName extends DebtName {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly channel: ReportChannel;
  /** Two reports have met in it: a third one learns nothing from it. */
  readonly isSpent: boolean;
}

/**
 * Two invoices of one subscription are a day apart at least, unless it bills daily. Within a day two
 * channels may name different times for one invoice: PSPs give a date without a time, or the draft's
 * time, and merchants the time of their own record.
 */
const periodToleranceMs = dayMs;
const periodStepMs = 2 * periodToleranceMs;

/** The names of a report, the strongest first. */
export function namesOf(report: DebtReport): readonly DebtName[] {
  const { psp, pspInvoiceId, invoiceId } = report;
  const names: readonly DebtName[] = [
    { kind: 'invoice', value: invoiceId },
    ...(pspInvoiceId === undefined ? [] : pspInvoiceNames(psp, pspInvoiceId)),
    ...report.charges.map((charge) => chargeName(report.customerId, charge)),
    ...periodNames(report, report.channel, report.invoiceCreatedAt.getTime()),
  ];
  return names.filter(isFirst);
}

/**
 * An invoice that lives at a PSP: by its webhooks it is reported under its id there. What a charge is
 * paid into may be shared by every period: its id is the name of no debt.
 */
export function pspInvoiceNames(psp: Psp, pspInvoiceId: string): readonly DebtName[] {
  if (!pspFacts[psp].invoices.nameOneDebt) return [];
  return [
    { kind: 'invoice', value: pspInvoiceId },
    { kind: 'psp_invoice', value: `${psp}:${pspInvoiceId}` },
  ];
}

/** The same charge is of one customer and one time, with one amount. */
function chargeName(customerId: string, charge: ReportedCharge): DebtName {
  const { psp, pspTransactionId, amountMinor, currency, createdAt } = charge;
  return {
    kind: 'charge',
    value: `${psp}:${pspTransactionId}`,
    mark: `${customerId} ${amountMinor} ${currency} ${createdAt.getTime()}`,
  };
}

/**
 * The period of a subscription is named by when its invoice was created: all that reports of both
 * channels carry (few give a billing cycle, none its number). A merchant's report has one name, a
 * PSP's two that overlap, so that any two within a day of each other share one.
 */
function periodNames(
  report: DebtReport,
  channel: ReportChannel,
  createdMs: number,
): readonly DebtName[] {
  if (report.isDaily) return [];
  const { psp, subscriptionId, amountMinor, currency } = report;
  const step = (atMs: number) => Math.floor(atMs / periodStepMs);
  const before = step(createdMs - periodToleranceMs);
  const steps = channel === 'merchant' ? [step(createdMs)] : [before, before + 1];
  return steps.map((number) => ({
    kind: 'period',
    value: `${psp}:${subscriptionId}:${amountMinor}:${currency}:${number}`,
    mark: `${createdMs}`,
  }));
}

/** Every name of the period that a known one is of: they are spent together. */
export function periodNamesOf(report: DebtReport, known: KnownName): readonly DebtName[] {
  return periodNames(report, known.channel, Number(known.mark));
}

/**
 * Whether a name that a debt has is of the same debt as a report with this name. A charge that both
 * reports of one channel name has to agree in customer, amount and time: a merchant that writes the
 * same word for every charge must not lose its recoveries. Of two channels one is the PSP's own word.
 */
export function isSameDebt(known: KnownName, name: DebtName, channel: ReportChannel): boolean {
  switch (name.kind) {
    case 'invoice':
    case 'psp_invoice':
      return true;
    case 'charge':
      return known.channel !== channel || known.channel === 'psp' || known.mark === name.mark;
    case 'period':
      return known.channel !== channel && !known.isSpent && isSamePeriod(known, name);
  }
}

/** Whether two names of periods are of the same one. */
export function isSamePeriod(known: DebtName, name: DebtName): boolean {
  return Math.abs(Number(known.mark) - Number(name.mark)) < periodToleranceMs;
}

function isFirst(name: DebtName, index: number, names: readonly DebtName[]): boolean {
  return names.findIndex((other) => keyOf(other) === keyOf(name)) === index;
}

/** What makes a name one of its merchant's. */
export function keyOf({ kind, value }: Pick<DebtName, 'kind' | 'value'>): string {
  return `${kind} ${value}`;
}
