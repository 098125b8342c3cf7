import { minorFromDecimal } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { ListedCharge, ReportReading } from '../../recovery/psp-ports.ts';
import { idOf } from '../answer-fields.ts';
import { type CsvRow, readCsv } from '../csv.ts';
import type { AdyenAccount } from './credentials.ts';

/**
 * The columns that are read of the payment accounting report, in any order: docs.adyen.com,
 * reporting/invoice-reconciliation/payment-accounting-report. Each status of a payment has a row.
 */
const columns = [
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Booking Date',
  'TimeZone',
  'Main Currency',
  'Main Amount',
  'Record Type',
] as const;

/** Record types by what they say of a payment's money; all others say nothing of it. */
const taken: readonly string[] = [
  'Authorised',
  'SentForSettle',
  'Settled',
  'SettledInInstallments',
];
const captured: readonly string[] = taken.slice(1);
const notTaken: readonly string[] = ['Refused', 'Cancelled', 'Expired', 'Error', 'CaptureFailed'];
const refundTypes = ['Refunded', 'SentForRefund'] as const;

/** What one row says of its payment. */
interface Status {
  readonly type: string;
  readonly charge: ListedCharge;
}

type Statuses = [Status, ...Status[]];

/**
 * Payments of this merchant account, each once: what was settled, else what was taken, else how it was
 * declined. A row of another merchant account of the company is passed over.
 */
export function readAdyenReport(account: AdyenAccount, text: string): ReportReading {
  const read = readCsv(text);
  if (read.kind === 'malformed') return read;
  const names = read.columns.map((name) => name.toLowerCase());
  const lacking = columns.filter((name) => !names.includes(name.toLowerCase()));
  if (lacking.length > 0) {
    return {
      kind: 'malformed',
      line: 1,
      reason: `the columns ${lacking.join(', ')} are not there`,
    };
  }
  const rows = read.rows.filter((row) => row.get('Merchant Account') === account.merchantAccount);
  if (rows.length === 0) {
    const reason = `no row below it is of the merchant account ${account.merchantAccount}`;
    return { kind: 'malformed', line: 1, reason };
  }
  const payments = new Map<string, Statuses>();
  const refunds = new Map<string, Refunds>();
  for (const row of rows) {
    const type = row.get('Record Type') ?? '';
    const isRefund = isRefundType(type);
    if (!isRefund && !taken.includes(type) && !notTaken.includes(type)) continue;
    const charge = chargeOf(row, account, notTaken.includes(type) ? 'declined' : 'succeeded');
    if (typeof charge === 'string') return { kind: 'malformed', line: row.line, reason: charge };
    const { pspTransactionId } = charge;
    if (isRefund) {
      const ofPayment = refunds.get(pspTransactionId) ?? newRefunds();
      ofPayment[type].set(JSON.stringify(row.fields), charge.amountMinor);
      refunds.set(pspTransactionId, ofPayment);
      continue;
    }
    const known = payments.get(pspTransactionId);
    if (known === undefined) payments.set(pspTransactionId, [{ type, charge }]);
    else known.push({ type, charge });
  }
  const times = timesOf(rows);
  if (times === undefined) {
    return { kind: 'malformed', line: 2, reason: 'Booking Date or TimeZone is no time' };
  }
  const told = [...payments.values()].map(becameOf).map(withRefund(refunds));
  return { kind: 'read', charges: told.map(besideSuccess(told)), ...times };
}

/** The times of the first and of the last row. */
function timesOf(rows: readonly CsvRow[]): { readonly from: Date; readonly to: Date } | undefined {
  const times = rows.flatMap((row) => timeOf(row.get('Booking Date'), row.get('TimeZone')) ?? []);
  const inOrder = times.toSorted((a, b) => a.getTime() - b.getTime());
  const [from, to] = [inOrder[0], inOrder.at(-1)];
  return from === undefined || to === undefined ? undefined : { from, to };
}

/**
 * An authorisation that was cancelled or expired before it was captured brought nothing, nor did a capture
 * that failed and was not made again: as where the row that says so is alone in its report.
 */
function becameOf([first, ...others]: Statuses): ListedCharge {
  const statuses = [first, ...others];
  const rank = ({ type }: Status) => taken.indexOf(type);
  const best = others.reduce((a, b) => (rank(b) > rank(a) ? b : a), first);
  const { charge } = best;
  const last = (types: readonly string[]) =>
    Math.max(...statuses.map((s) => (types.includes(s.type) ? s.charge.createdAt.getTime() : 0)));
  const capturedAt = last(captured);
  const failedAt = last(['CaptureFailed']);
  if (failedAt > 0 && failedAt >= capturedAt) return { ...charge, state: 'declined' };
  const isEnded = rank(best) === 0 && last(['Cancelled', 'Expired']) > 0;
  return isEnded ? { ...charge, state: 'declined' } : charge;
}

/** Of several tries of one reference, as Auto Rescue makes them, the one that was paid says what became of it. */
function besideSuccess(charges: readonly ListedCharge[]) {
  const paid = new Set(
    charges.flatMap(({ state, idempotencyKey }) =>
      state === 'succeeded' && idempotencyKey !== undefined ? [idempotencyKey] : [],
    ),
  );
  return (charge: ListedCharge): ListedCharge =>
    charge.state === 'declined' && paid.has(charge.idempotencyKey ?? '')
      ? { ...charge, state: 'pending' }
      : charge;
}

/** Of one payment by their rows, so that a row that is there twice is one refund. */
type Refunds = Readonly<Record<(typeof refundTypes)[number], Map<string, number>>>;

const newRefunds = (): Refunds => ({ Refunded: new Map(), SentForRefund: new Map() });

function isRefundType(type: string): type is keyof Refunds {
  return refundTypes.some((name) => name === type);
}

function withRefund(refunds: ReadonlyMap<string, Refunds>) {
  return (charge: ListedCharge): ListedCharge => {
    const ofPayment = refunds.get(charge.pspTransactionId);
    if (ofPayment === undefined) return charge;
    // A refund has a row when it is sent and one when it is done: either kind tells all of them.
    const refundedMinor = Math.max(...refundTypes.map((type) => sumOf(ofPayment[type])));
    return { ...charge, refundedMinor };
  };
}

function sumOf(amounts: ReadonlyMap<string, number>): number {
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
}

/** A row as a charge, or what is wrong with it. */
function chargeOf(
  row: CsvRow,
  account: AdyenAccount,
  state: ListedCharge['state'],
): ListedCharge | string {
  const pspTransactionId = idOf(row.get('Psp Reference'));
  const currency = row.get('Main Currency') ?? '';
  const createdAt = timeOf(row.get('Booking Date'), row.get('TimeZone'));
  const amount = row.get('Main Amount') ?? '';
  if (pspTransactionId === undefined) return 'Psp Reference is empty';
  if (!/^[A-Z]{3}$/.test(currency)) return 'Main Currency is no currency';
  if (createdAt === undefined) return 'Booking Date or TimeZone is no time';
  if (!/^-?\d+(\.\d+)?$/.test(amount)) return 'Main Amount is no amount';
  const money = minorFromDecimal(Math.abs(Number(amount)), currency);
  if ('fault' in money) return 'Main Amount is no amount of its currency';
  const key = idOf(row.get('Merchant Reference'));
  return {
    pspTransactionId,
    ...present({ idempotencyKey: key }),
    state,
    amountMinor: money.amountMinor,
    currency,
    createdAt,
    isLive: account.environment === 'live',
  };
}

/** `2026-03-01 09:30:00` in one of the zones that Adyen's reports have. */
function timeOf(text: string | undefined, zone = 'UTC'): Date | undefined {
  const offset = zoneOffsets[zone.toUpperCase()];
  if (text === undefined || offset === undefined) return undefined;
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined;
  const at = new Date(`${text.replace(' ', 'T')}${offset}`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

const zoneOffsets: Readonly<Record<string, string>> = {
  UTC: 'Z',
  GMT: 'Z',
  BST: '+01:00',
  CET: '+01:00',
  CEST: '+02:00',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  PST: '-08:00',
  PDT: '-07:00',
  SGT: '+08:00',
  AEST: '+10:00',
  AEDT: '+11:00',
  BRT: '-03:00',
  JST: '+09:00',
};
