import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { useViewState } from '../state/view-state.ts';

/** Finds payments by any id that a person may hold, from every page. */
export function SearchBox() {
  const view = useViewState();
  const [, navigate] = useLocation();
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('q') ?? '').trim();
    navigate(view.href('/payments', { q: text === '' ? undefined : text }));
  };
  const shown = window.location.pathname === '/payments' ? (view.param('q') ?? '') : '';
  return (
    <search>
      <form onSubmit={search} className="search">
        <input
          key={shown}
          name="q"
          type="search"
          defaultValue={shown}
          data-search
          aria-label="Search payments by any id"
          placeholder="Any id: invoice, customer, charge … (/)"
          maxLength={255}
        />
      </form>
    </search>
  );
}
