import { useLocation, useSearch } from 'wouter';

/** What of the address every page shares. */
export const ranges = ['24h', '7d', '30d', '90d', 'all'] as const;
export type Range = (typeof ranges)[number];

export const rangeLabels: Readonly<Record<Range, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  all: 'All time',
};

const hourMs = 3_600_000;
const rangeMs: Readonly<Record<Range, number | undefined>> = {
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
  '90d': 90 * 24 * hourMs,
  all: undefined,
};

/** Where a range begins; undefined for all time. Cut to the minute, so that a query stays the same. */
export function rangeStart(range: Range, now: Date): Date | undefined {
  const ms = rangeMs[range];
  return ms === undefined
    ? undefined
    : new Date(Math.floor((now.getTime() - ms) / 60_000) * 60_000);
}

export interface ViewState {
  /** Absent: every merchant. */
  readonly merchantId: string | undefined;
  readonly range: Range;
  /** A parameter of the page's own. */
  param(name: string): string | undefined;
  /** Changes parameters of the address; undefined takes one away. `replace` leaves no way back. */
  change(params: Readonly<Record<string, string | undefined>>, how?: { replace: boolean }): void;
  /** An address of ours that keeps the merchant and the range. */
  href(path: string, params?: Readonly<Record<string, string | undefined>>): string;
}

/** The view's state, which lives in the address and nowhere else. */
export function useViewState(): ViewState {
  const [path, navigate] = useLocation();
  // The router tells when it changes; read here, since the router decodes it once too often.
  useSearch();
  const search = new URLSearchParams(window.location.search);
  const range = search.get('range');
  return {
    merchantId: search.get('merchant') ?? undefined,
    range: ranges.find((each) => each === range) ?? '30d',
    param: (name) => search.get(name) ?? undefined,
    change(params, how) {
      const next = new URLSearchParams(search);
      assign(next, params);
      const text = next.toString();
      navigate(text === '' ? path : `${path}?${text}`, how);
    },
    href(to, params = {}) {
      const next = new URLSearchParams();
      assign(next, {
        merchant: search.get('merchant') ?? undefined,
        range: search.get('range') ?? undefined,
        ...params,
      });
      const text = next.toString();
      return text === '' ? to : `${to}?${text}`;
    },
  };
}

function assign(
  target: URLSearchParams,
  params: Readonly<Record<string, string | undefined>>,
): void {
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === '') target.delete(name);
    else target.set(name, value);
  }
}
