import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useFindPayments } from '../api/payments.ts';
import { Icon } from '../parts/icon.tsx';
import { paymentPath } from '../state/payment-path.ts';
import { pagePath } from '../state/portal.ts';
import { useViewState } from '../state/view-state.ts';

/** Finds payments by whatever a person may hold, from every page; a single one is opened at once. */
export function SearchBox() {
  const view = useViewState();
  const [, navigate] = useLocation();
  const find = useFindPayments();
  const field = useRef<HTMLInputElement>(null);
  const searches = useRef(0);
  const open = async (text: string): Promise<void> => {
    const list = view.href('/payments', { q: text === '' ? undefined : text });
    const own = ++searches.current;
    const { pathname } = window.location;
    // The list says why, where it cannot be asked.
    const found = text === '' ? [] : await find(text, view.merchantId).catch(() => []);
    // A later search is the one that is meant, and who went elsewhere meanwhile stays there.
    if (own !== searches.current || pathname !== window.location.pathname) return;
    const [only, ...others] = found;
    const isSingle = only !== undefined && others.length === 0;
    navigate(isSingle ? view.href(paymentPath(only)) : list);
    // Where the list stands already, the way to what was found is as of another page.
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    void open(text);
  };
  const shown = pagePath() === '/payments' ? (view.param('q') ?? '') : '';
  // The field stays, with the focus that it has.
  useEffect(() => {
    if (field.current !== null) field.current.value = shown;
  }, [shown]);
  return (
    <search>
      <form onSubmit={search} className="search">
        <Icon name="search" />
        <input
          ref={field}
          name="q"
          type="search"
          defaultValue={shown}
          data-search
          aria-label="Search payments"
          placeholder="Search by id, e-mail or amount  (/)"
          maxLength={255}
        />
      </form>
    </search>
  );
}
