import {
  type DebtName,
  type DebtReport,
  isSameDebt,
  isSamePeriod,
  type KnownName,
  keyOf,
  namesOf,
  periodNamesOf,
} from './debt-names.ts';

/** What a report is: a new debt, or one more word of a debt that is known. */
export interface JoinedReport {
  /** The debt's, by which its payment goes. */
  readonly invoiceId: string;
  readonly isNew: boolean;
  /** Other debts that this report shows to be the same one. */
  readonly others: readonly string[];
}

export interface JoinPlan {
  /** In the order of the reports. */
  readonly reports: readonly JoinedReport[];
  /** Names that nobody has yet. */
  readonly claimed: readonly KnownName[];
  /** Names in which two reports have met now. */
  readonly spent: readonly KnownName[];
}

/**
 * Says of each report which debt it is of, from the names that are known; those before it in the batch
 * are known to it. A strong name (an invoice, a charge) decides; the period only where none does, only
 * between channels, and only once: it is the weakest, and a debt that is joined by mistake is not
 * recovered.
 */
export function joinReports(reports: readonly DebtReport[], known: readonly KnownName[]): JoinPlan {
  const book = new Map(known.map((name) => [bookKey(name.merchantId, name), name]));
  const claimed = new Map<string, KnownName>();
  const spent = new Map<string, KnownName>();
  const joined = reports.map((report): JoinedReport => {
    const names = namesOf(report);
    const look = (name: DebtName) => book.get(bookKey(report.merchantId, name));
    const debts = debtsOf(report, names, look);
    const [invoiceId = report.invoiceId] = debts;
    const isIts = (id: string) => id === invoiceId || debts.includes(id);
    const isMet = names.some((name) => meets(report, name, look(name), isIts));
    for (const name of spentBy(report, names, look, isIts)) {
      const key = bookKey(report.merchantId, name);
      book.set(key, { ...name, isSpent: true });
      // One that this batch claims is written as it is in the end.
      if (claimed.has(key)) claimed.set(key, { ...name, isSpent: true });
      else spent.set(key, name);
    }
    const { merchantId, channel } = report;
    for (const name of names.filter((item) => look(item) === undefined)) {
      // A period that its debt has met the other channel in says nothing more under its other names either.
      const isSpent = isMet && name.kind === 'period';
      const own = { ...name, merchantId, invoiceId, channel, isSpent };
      book.set(bookKey(merchantId, name), own);
      claimed.set(bookKey(merchantId, name), own);
    }
    return { invoiceId, isNew: debts.length === 0, others: debts.slice(1) };
  });
  return { reports: joined, claimed: [...claimed.values()], spent: [...spent.values()] };
}

type Look = (name: DebtName) => KnownName | undefined;

/** The debts that the names of a report lead to: by strong ones, else by the period. */
function debtsOf(report: DebtReport, names: readonly DebtName[], look: Look): readonly string[] {
  const found = (some: readonly DebtName[]) =>
    some.flatMap((name) => {
      const known = look(name);
      return known !== undefined && isSameDebt(known, name, report.channel)
        ? [known.invoiceId]
        : [];
    });
  const periods = names.filter((name) => name.kind === 'period');
  const strong = found(names.filter((name) => name.kind !== 'period'));
  if (strong.length > 0) return [...new Set(strong)];
  // Another invoice of this channel, or two of the other one, are in the same period: it does not say whose it is.
  const isShared = periods.some((name) =>
    isOfAnother(report, name, look(name), (id) => id === report.invoiceId),
  );
  const near = new Set(found(periods));
  return isShared || near.size > 1 ? [] : [...near];
}

/** The names of periods that say nothing any more, once this report is known. */
function spentBy(
  report: DebtReport,
  names: readonly DebtName[],
  look: Look,
  isIts: IsIts,
): readonly KnownName[] {
  return names.flatMap((name) => {
    const known = look(name);
    if (known === undefined || known.isSpent) return [];
    if (!meets(report, name, known, isIts) && !isOfAnother(report, name, known, isIts)) return [];
    return periodNamesOf(report, known).flatMap((other) => {
      const item = look(other);
      // What met in one of them before has spent that one alone.
      return item?.invoiceId === known.invoiceId && !item.isSpent ? [item] : [];
    });
  });
}

/** Whether a debt is one of those that a report is of. */
type IsIts = (invoiceId: string) => boolean;

/** Whether the other channel reported the same debt in this period, now or before. */
function meets(
  { channel }: DebtReport,
  name: DebtName,
  known: KnownName | undefined,
  isIts: IsIts,
): boolean {
  return isNear(name, known) && known.channel !== channel && isIts(known.invoiceId);
}

/** Whether a period is that of another invoice which the same channel reported. */
function isOfAnother(
  { channel }: DebtReport,
  name: DebtName,
  known: KnownName | undefined,
  isIts: IsIts,
): boolean {
  return isNear(name, known) && known.channel === channel && !isIts(known.invoiceId);
}

function isNear(name: DebtName, known: KnownName | undefined): known is KnownName {
  return name.kind === 'period' && known !== undefined && isSamePeriod(known, name);
}

function bookKey(merchantId: string, name: Pick<DebtName, 'kind' | 'value'>): string {
  return `${merchantId} ${keyOf(name)}`;
}
