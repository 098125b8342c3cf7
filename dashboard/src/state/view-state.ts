import { useLocation, useSearch } from 'wouter';
import { usePortal } from './portal.ts';
import { type Range, rangeOf } from './range.ts';

/** What of the address every page shares. */
export interface ViewState {
  /** Absent: every merchant. In a portal always its own. */
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
  const portal = usePortal();
  const [path, navigate] = useLocation();
  // The router tells when it changes; read here, since the router decodes it once too often.
  useSearch();
  const search = new URLSearchParams(window.location.search);
  const range = search.get('range');
  return {
    merchantId: portal?.merchant.id ?? search.get('merchant') ?? undefined,
    range: rangeOf(range),
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
