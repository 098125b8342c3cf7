import { canonicalJson, type JsonValue } from '../../domain/json/canonical-json.ts';

/** What the hash of the day before the first statement is. */
export const firstPreviousHash = '0'.repeat(64);

/** The form of a statement's body; raised when a member changes its meaning. */
const statementVersion = 1;

/** A control total that stands in a statement. Of events, `psp` and `currency` are empty. */
export interface StatedSum {
  /** The UTC day of the facts, `YYYY-MM-DD`: the statement's own or an earlier one. */
  readonly day: string;
  readonly psp: string;
  readonly connectionVersion: number;
  readonly currency: string;
  readonly kind: string;
  readonly count: number;
  readonly amountMinor: number;
}

export interface StatementInput {
  readonly merchantId: string;
  readonly day: string;
  readonly previousHash: string;
  readonly sums: readonly StatedSum[];
}

const none = { count: 0, amount_minor: 0 };

/**
 * A day's statement as canonical JSON (RFC 8785), without its own hash: what happened on that day, and,
 * as corrections, what became known on it of days before. Amounts in minor units.
 */
export function statementJson(input: StatementInput): string {
  const { merchantId, day, previousHash, sums } = input;
  const own = sums.filter((sum) => sum.day === day);
  const earlier = sums.filter((sum) => sum.day !== day);
  return canonicalJson({
    version: statementVersion,
    merchant_id: merchantId,
    day,
    previous_hash: previousHash,
    accounts: accountsOf(own, () => ({})),
    events: eventsOf(own),
    corrections: {
      accounts: accountsOf(earlier, (sum) => ({ day: sum.day })),
      events: [...groups(earlier.filter(isOfEvents), (sum) => sum.day)].map(([of, group]) => ({
        day: of,
        ...eventsOf(group),
      })),
    },
  });
}

const isOfEvents = ({ psp }: StatedSum): boolean => psp === '';

/** One member for each account and currency, in their order. */
function accountsOf(
  sums: readonly StatedSum[],
  more: (sum: StatedSum) => Readonly<Record<string, string>>,
): readonly JsonValue[] {
  const accounts = groups(
    sums.filter((sum) => !isOfEvents(sum)),
    (sum) =>
      `${sum.day} ${sum.psp} ${sum.connectionVersion.toString().padStart(9, '0')} ${sum.currency}`,
  );
  return [...accounts.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const sum = (...kinds: readonly string[]) =>
      group
        .filter(({ kind }) => kinds.includes(kind))
        .reduce(
          (total, { count, amountMinor }) => ({
            count: total.count + count,
            amount_minor: total.amount_minor + amountMinor,
          }),
          none,
        );
    return [
      {
        ...more(first),
        psp: first.psp,
        connection_version: first.connectionVersion,
        currency: first.currency,
        attempts: sum('charged', 'declined'),
        successes: sum('charged'),
        recovered: sum('recovered'),
        announced: sum('announced'),
        refunds: sum('refunded'),
        incidents: sum('incidents'),
      },
    ];
  });
}

function eventsOf(sums: readonly StatedSum[]): Readonly<Record<string, number>> {
  const count = (kind: string) =>
    sums.filter((sum) => isOfEvents(sum) && sum.kind === kind).reduce((n, sum) => n + sum.count, 0);
  return {
    created: count('created'),
    delivered: count('delivered'),
    pending: count('pending'),
    given_up: count('exhausted'),
  };
}

/** In the order of their keys, which is one order on every machine. */
function groups(
  sums: readonly StatedSum[],
  keyOf: (sum: StatedSum) => string,
): ReadonlyMap<string, readonly StatedSum[]> {
  const byKey = Map.groupBy(sums, keyOf);
  return new Map([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)));
}
