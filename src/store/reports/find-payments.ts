import type { HashEmail } from '../../disputes/dispute-ports.ts';
import { currenciesOf } from '../../domain/money.ts';
import type { Page, PaymentSummary } from '../../recovery/api.ts';
import type { OperatorListPayments } from '../../recovery/reports/operator-views.ts';
import { withoutMistaken } from '../archive/packed-ids.ts';
import type { Queryable, Statement } from '../database.ts';
import {
  type FoundRow,
  filterValues,
  foundStatement,
  listOfPsps,
  listOperatorPayments,
  operatorPage,
  pageValues,
} from './operator-payments.ts';
import { type SearchTerms, searchTerms } from './search-terms.ts';

type FoundPage = Page<PaymentSummary & { merchantId: string }>;

/**
 * The payments that a text names: those with exactly this id, else those whose ids begin with it, of this
 * amount, of a card that ends so, or of this e-mail address.
 * @throws AppError invalid_request for a cursor of another list
 */
export async function findPayments(
  deps: { readonly db: Queryable; readonly hashEmail: HashEmail },
  input: OperatorListPayments & { readonly search: string },
): Promise<FoundPage> {
  const exact = await listOperatorPayments(deps.db, input);
  if (exact.items.length > 0) return exact;
  const terms = searchTerms(input.search.trim());
  const hashes = terms.email === undefined ? [] : await hashesOf(deps, input, terms.email);
  const look = lookOf(terms, hashes);
  if (look === undefined) return { items: [] };
  const values = [...pageValues(input), ...filterValues(input), ...look.values];
  const found = await deps.db.query<FoundRow>(looks[look.by], values);
  const rows = await withoutMistaken(deps.db, found, (id) => id.startsWith(terms.prefix ?? ''));
  return operatorPage(rows, input.limit);
}

/** Of one place: a beginning that many ids share is not to read them all. */
const maxFound = 200;

/** The ranges are read from the indexes of whole ids; what a collation puts between is left out. */
function byPrefix(text: string): string[] {
  const starts = (table: string, column: string, more = '') => `
    select t.invoice_id from ${table} t
    where t.merchant_id = m.merchant_id and t.${column} >= ${text}::text
      and t.${column} < ${text}::text || chr(1114111) and starts_with(t.${column}, ${text}::text) ${more}
    order by t.${column} limit ${maxFound}`;
  return [
    starts('payments', 'invoice_id'),
    starts('payments', 'customer_id'),
    starts('transactions', 'subscription_id', 'and not t.success'),
    starts('transactions', 'transaction_id', 'and not t.success'),
    starts('transactions', 'psp_transaction_id', 'and not t.success'),
    starts('psp_transactions', 'psp_transaction_id'),
    starts('recorded_attempts', 'attempt_id'),
    starts('events', 'event_id'),
    starts('disputes', 'dispute_id', 'and t.invoice_id is not null'),
    // The processor's id of a dispute stands in an index behind the processor.
    `select of_psp.invoice_id from unnest(${listOfPsps}) known (psp)
     cross join lateral (
       ${starts('disputes', 'psp_dispute_id', 'and t.psp = known.psp and t.invoice_id is not null')}
     ) of_psp`,
  ];
}

const listed = (currencies: readonly string[]): string => `('${currencies.join("', '")}')`;

/** Of what the merchant reported as failed: those rows never change, so an index there costs one entry. */
function byAmount([none, two, three, currency]: readonly [
  string,
  string,
  string,
  string,
]): string[] {
  return [
    `select t.invoice_id from transactions t
     where t.merchant_id = m.merchant_id and not t.success
       and t.amount_minor in (${none}::bigint, ${two}::bigint, ${three}::bigint)
       and t.amount_minor = case when t.currency in ${listed(currenciesOf(0))} then ${none}::bigint
                                 when t.currency in ${listed(currenciesOf(3))} then ${three}::bigint
                                 else ${two}::bigint end
       and (${currency}::text is null or t.currency = ${currency})
     order by t.occurred_at desc limit ${maxFound}`,
  ];
}

/** Cards are known by their last four digits where they were disputed, and nowhere else. */
function byCard(last4: string): string[] {
  return [
    `select d.invoice_id from disputes d
     where d.merchant_id = m.merchant_id and d.card_last4 = ${last4} and d.invoice_id is not null`,
  ];
}

/** By what checkouts captured of a payer, and by what disputes say of theirs. */
function byEmail(merchants: string, hashes: string): string[] {
  const hash = `(select decode(h.hash, 'hex')
    from unnest(${merchants}::text[], ${hashes}::text[]) as h (merchant_id, hash)
    where h.merchant_id = m.merchant_id)`;
  const captured = (join: string, invoice: string) =>
    `select ${invoice}.invoice_id from analytics a ${join}
     where a.merchant_id = m.merchant_id and a.email_index = ${hash}`;
  return [
    captured('', 'a'),
    captured(
      'join payments i on i.merchant_id = a.merchant_id and i.customer_id = a.customer_id',
      'i',
    ),
    captured(
      `join payment_methods pm
         on pm.merchant_id = a.merchant_id and pm.psp_customer_id = a.customer_id
       join payments i on i.merchant_id = pm.merchant_id and i.customer_id = pm.customer_id
        and i.psp_customer_id = a.customer_id`,
      'i',
    ),
    captured(
      `join transactions t on t.merchant_id = a.merchant_id and not t.success
        and t.psp_transaction_id = coalesce(a.charge_id, a.transaction_id)`,
      't',
    ),
    `select d.invoice_id from disputes d
     where d.merchant_id = m.merchant_id and d.email_index = ${hash} and d.invoice_id is not null`,
  ];
}

/** By what a text may be; what each look needs stands from `$9` on. */
const looks = {
  email: foundStatement('find_payments_by_email', byEmail('$9', '$10')),
  prefix: foundStatement('find_payments_by_prefix', byPrefix('$9'), '$9'),
  amount: foundStatement('find_payments_by_amount', byAmount(['$9', '$10', '$11', '$12'])),
  prefixOrAmount: foundStatement('find_payments_by_prefix_amount', [
    ...byPrefix('$9'),
    ...byAmount(['$10', '$11', '$12', '$13']),
  ]),
  digits: foundStatement('find_payments_by_digits', [
    ...byPrefix('$9'),
    ...byAmount(['$10', '$11', '$12', '$13']),
    ...byCard('$14'),
  ]),
} as const;

interface Look {
  readonly by: keyof typeof looks;
  readonly values: readonly unknown[];
}

function lookOf(
  { prefix, amount, cardLast4 }: SearchTerms,
  hashes: readonly EmailHash[],
): Look | undefined {
  if (hashes.length > 0) {
    return {
      by: 'email',
      values: [hashes.map((of) => of.merchantId), hashes.map((of) => of.hash)],
    };
  }
  if (amount === undefined)
    return prefix === undefined ? undefined : { by: 'prefix', values: [prefix] };
  const { minorByExponent: minor, currency } = amount;
  const money = [minor[0], minor[2], minor[3], currency];
  if (prefix === undefined) return { by: 'amount', values: money };
  if (cardLast4 === undefined) return { by: 'prefixOrAmount', values: [prefix, ...money] };
  return { by: 'digits', values: [prefix, ...money, cardLast4] };
}

interface EmailHash {
  readonly merchantId: string;
  readonly hash: string;
}

/** Each merchant's hashes have a key of their own; of more merchants than this, one has to be chosen. */
const maxHashed = 100;

const hashingMerchants: Statement = {
  name: 'hashing_merchants',
  text: `
    select distinct k.merchant_id from analytics_index_keys k
    where $1::text[] is null or k.merchant_id = any($1) order by k.merchant_id limit ${maxHashed}`,
};

async function hashesOf(
  { db, hashEmail }: { readonly db: Queryable; readonly hashEmail: HashEmail },
  { merchantIds }: OperatorListPayments,
  email: string,
): Promise<readonly EmailHash[]> {
  const rows = await db.query<{ merchant_id: string }>(hashingMerchants, [merchantIds]);
  const found: EmailHash[] = [];
  for (const { merchant_id: id } of rows) {
    found.push({ merchantId: id, hash: await hashEmail(id, email) });
  }
  return found;
}
