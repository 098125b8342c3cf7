import { Link } from 'wouter';
import { ApiError } from '../api/request.ts';
import { signOut } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import { useToast } from '../parts/toasts.tsx';
import { type Page, pageGroups } from '../state/page.ts';
import { usePortal } from '../state/portal.ts';
import { tellSignedOut } from '../state/sign-outs.ts';
import { useViewState } from '../state/view-state.ts';
import { SavedViews } from './saved-views.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** The pages by what they are about, views that were saved, and below them what is the viewer's own. */
export function Navigation({
  pages,
  current,
  onHelp,
  onSaveView,
}: {
  readonly pages: readonly Page[];
  readonly current: Page | undefined;
  readonly onHelp: () => void;
  readonly onSaveView: () => void;
}) {
  const view = useViewState();
  const portal = usePortal();
  const toast = useToast();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (error) {
      // Who believes to be signed out and is not leaves their session to the next one.
      const isOut = error instanceof ApiError && error.status === 401;
      if (!isOut) {
        toast(`You are still signed in. ${error instanceof Error ? error.message : ''}`);
        return;
      }
    }
    tellSignedOut();
    window.location.reload();
  };
  const groups = pageGroups
    .map((name) => ({ name, pages: pages.filter(({ group }) => group === name) }))
    .filter((group) => group.pages.length > 0);
  return (
    <>
      <nav aria-label="Pages" className="pages">
        {groups.map((group) => (
          <div key={group.name} className="pages-group">
            {group.name !== '' && <p className="pages-name">{group.name}</p>}
            <ul>
              {group.pages.map((page) => (
                <li key={page.path}>
                  <Link
                    href={view.href(page.path)}
                    {...(page === current ? { 'aria-current': 'page' as const } : {})}
                  >
                    <Icon name={page.icon} />
                    {page.name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {portal === undefined && <SavedViews onSave={onSaveView} />}
      <div className="own">
        <ThemeToggle />
        <div className="own-actions">
          <button type="button" className="button quiet" onClick={onHelp}>
            Shortcuts
          </button>
          <button type="button" className="button quiet" onClick={() => void leave()}>
            Sign out
          </button>
        </div>
      </div>
    </>
  );
}
