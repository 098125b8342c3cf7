import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { sessionKey, signOut } from '../api/session.ts';
import type { Page } from '../state/page.ts';
import { useViewState } from '../state/view-state.ts';
import { MerchantSelect } from './merchant-select.tsx';
import { RangeSelect } from './range-select.tsx';
import { SearchBox } from './search-box.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** Where one is, and what one looks at: pages, search, merchant, time. */
export function TopBar({
  pages,
  current,
  sandbox,
  onHelp,
}: {
  readonly pages: readonly Page[];
  readonly current: Page | undefined;
  readonly sandbox: boolean;
  readonly onHelp: () => void;
}) {
  const view = useViewState();
  const [path] = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  // It closes by itself where a page is chosen.
  const isOpen = openAt === path;
  const setOpen = (open: boolean): void => setOpenAt(open ? path : undefined);
  const queries = useQueryClient();
  const leave = async (): Promise<void> => {
    await signOut();
    queries.clear();
    await queries.invalidateQueries({ queryKey: sessionKey });
    window.location.reload();
  };
  return (
    <header className={isOpen ? 'bar bar-open' : 'bar'}>
      <button
        type="button"
        className="button bar-menu"
        aria-expanded={isOpen}
        aria-controls="pages"
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </button>
      <div className="bar-row">
        <span className="brand">Recoup {sandbox && <span className="tag">sandbox</span>}</span>
        <nav aria-label="Pages" id="pages" className="bar-folds">
          <ul>
            {pages.map((page) => (
              <li key={page.path}>
                <Link
                  href={view.href(page.path)}
                  {...(page === current ? { 'aria-current': 'page' as const } : {})}
                >
                  {page.name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="bar-row bar-tools">
        <MerchantSelect />
        <RangeSelect />
        <SearchBox />
        <div className="bar-folds">
          <ThemeToggle />
          <button type="button" className="button quiet" onClick={onHelp}>
            Shortcuts
          </button>
          <button type="button" className="button quiet" onClick={() => void leave()}>
            Sign out
          </button>
        </div>
      </div>
    </header>
  );
}
