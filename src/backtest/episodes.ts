import type { History } from './history.ts';

/** Attempts in the order of their invoices, or customers, and in each by time. */
export interface Grouped {
  /** Where each group begins in `order`, and the end of the last. */
  readonly starts: Int32Array;
  /** Places in the history. */
  readonly order: Int32Array;
}

/** Sorts a history's attempts into groups: by counting, then by time inside each. */
export function groupAttempts(history: History, groupOf: Int32Array, groups: number): Grouped {
  const starts = new Int32Array(groups + 1);
  for (const group of groupOf) starts[group + 1] = (starts[group + 1] ?? 0) + 1;
  for (let at = 0; at < groups; at += 1) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0);
  const next = starts.slice();
  const order = new Int32Array(groupOf.length);
  groupOf.forEach((group, row) => {
    const place = next[group] ?? 0;
    order[place] = row;
    next[group] = place + 1;
  });
  const { atMs } = history;
  const byTime = (a: number, b: number) => (atMs[a] ?? 0) - (atMs[b] ?? 0) || a - b;
  for (let at = 0; at < groups; at += 1) {
    const [from, to] = [starts[at] ?? 0, starts[at + 1] ?? 0];
    if (to - from > 1) order.subarray(from, to).sort(byTime);
  }
  return { starts, order };
}

/** The recovery of one invoice as it was logged. */
export interface Episode {
  readonly customer: number;
  /** Places in the history: the failure that began it, then its tries, the oldest first. */
  readonly rows: readonly number[];
}

export interface Episodes {
  readonly episodes: readonly Episode[];
  readonly counts: EpisodeCounts;
}

/** What became of every attempt that was read. */
export interface EpisodeCounts {
  /** Invoices whose first attempt was declined. */
  failures: number;
  /** Tries of theirs, up to the first success. */
  tries: number;
  /** Invoices whose first attempt succeeded: what is known of payers, and no failure. */
  paidAtOnce: number;
  /** Attempts that came twice, with the same id. */
  doubles: number;
  /** Attempts of an invoice after it was paid. */
  afterSuccess: number;
}

/** The recoveries of a history. */
export function findEpisodes(history: History): Episodes {
  const { starts, order } = groupAttempts(history, history.invoices, history.invoiceCount);
  const counts = { failures: 0, tries: 0, paidAtOnce: 0, doubles: 0, afterSuccess: 0 };
  const episodes: Episode[] = [];
  for (let invoice = 0; invoice < history.invoiceCount; invoice += 1) {
    const rows = rowsOf(
      history,
      order.subarray(starts[invoice] ?? 0, starts[invoice + 1] ?? 0),
      counts,
    );
    const [first] = rows;
    if (first === undefined) continue;
    if (history.outcomes[first] === 1) {
      counts.paidAtOnce += 1;
      continue;
    }
    counts.failures += 1;
    counts.tries += rows.length - 1;
    episodes.push({ customer: history.customers[first] ?? 0, rows });
  }
  return { episodes, counts };
}

/** Without doubles, and up to the first success. */
function rowsOf(history: History, ordered: Int32Array, counts: EpisodeCounts): readonly number[] {
  const rows: number[] = [];
  const seen = new Set<number>();
  let isPaid = false;
  for (const row of ordered) {
    const hash = history.idHashes[row] ?? 0;
    if (seen.has(hash)) {
      counts.doubles += 1;
    } else if (isPaid) {
      counts.afterSuccess += 1;
    } else {
      rows.push(row);
      isPaid = history.outcomes[row] === 1;
    }
    seen.add(hash);
  }
  return rows;
}
