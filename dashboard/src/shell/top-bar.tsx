import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
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
  const queries = useQueryClient();
  const leave = async (): Promise<void> => {
    await signOut();
    queries.clear();
    await queries.invalidateQueries({ queryKey: sessionKey });
    window.location.reload();
  };
  return (
    <header className="bar">
      <div className="bar-row">
        <span className="brand">Recoup {sandbox && <span className="tag">sandbox</span>}</span>
        <nav aria-label="Pages">
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
        <ThemeToggle />
        <button type="button" className="button quiet" onClick={onHelp}>
          Shortcuts
        </button>
        <button type="button" className="button quiet" onClick={() => void leave()}>
          Sign out
        </button>
      </div>
    </header>
  );
}
