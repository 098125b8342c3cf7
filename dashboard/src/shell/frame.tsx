import { Suspense, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { pages } from '../pages/pages.ts';
import { Announced } from '../parts/announced.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { PagePaths } from '../state/page-paths.ts';
import { pagePath, usePortal } from '../state/portal.ts';
import { Brand } from './brand.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { KeyHelp } from './key-help.tsx';
import { Navigation } from './navigation.tsx';
import { openPage } from './open-page.ts';
import { PageLoading } from './page-loading.tsx';
import { SaveView } from './saved-views.tsx';
import { TopBar } from './top-bar.tsx';
import { useIsNarrow } from './use-is-narrow.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useKeys } from './use-keys.ts';
import { usePageFocus } from './use-page-focus.ts';
import { titleOf, useTitle } from './use-title.ts';
import { Zone } from './zone.tsx';

/** The pages at the side, the bar, and below it the page that the address names. */
export function Frame({ sandbox }: { readonly sandbox: boolean }) {
  const portal = usePortal();
  const shown = pages.filter((page) =>
    portal === undefined ? sandbox || page.sandboxOnly !== true : page.inPortal === true,
  );
  useLocation();
  const help = useKeys();
  const isNarrow = useIsNarrow();
  const pathname = pagePath();
  // The drawer closes by itself where a page is chosen.
  const [menuAt, setMenuAt] = useState<string>();
  const [isSavingView, setSavingView] = useState(false);
  const open = openPage(shown, pathname);
  const main = useRef<HTMLElement>(null);
  const title = titleOf(open);
  useTitle(title);
  usePageFocus(main, { pathname, title });
  useKeptFocus(main);
  const View = open?.route.view;
  const paths = new Set(
    shown.flatMap(({ path, routes }) => [path, ...routes.map((route) => route.path)]),
  );
  const navigation = (
    <Navigation
      pages={shown.filter(({ isHidden }) => isHidden !== true)}
      current={open?.page}
      onHelp={() => {
        setMenuAt(undefined);
        help.show();
      }}
      onSaveView={() => {
        setMenuAt(undefined);
        setSavingView(true);
      }}
    />
  );
  return (
    <div className="shell">
      <a className="skip" href="#main">
        To the content
      </a>
      {isNarrow ? (
        <Dialog
          open={menuAt === pathname}
          title="Menu"
          form="drawer"
          onClose={() => setMenuAt(undefined)}
        >
          {navigation}
        </Dialog>
      ) : (
        <aside className="side" aria-label="Recoup">
          <Brand sandbox={sandbox} />
          {navigation}
        </aside>
      )}
      <div className="stage">
        <TopBar sandbox={sandbox} onMenu={isNarrow ? () => setMenuAt(pathname) : undefined} />
        <main id="main" tabIndex={-1} ref={main}>
          <ErrorBoundary key={pathname}>
            <Suspense fallback={<PageLoading />}>
              {View === undefined ? (
                <Empty title="There is no such page">
                  <p>The address may be incomplete. The menu has every page.</p>
                </Empty>
              ) : (
                <PagePaths value={paths}>
                  <View params={open?.params ?? {}} />
                </PagePaths>
              )}
            </Suspense>
          </ErrorBoundary>
        </main>
        <Zone />
      </div>
      {portal === undefined && (
        <SaveView open={isSavingView} onClose={() => setSavingView(false)} />
      )}
      <Announced />
      <KeyHelp open={help.isShown} onClose={help.hide} />
    </div>
  );
}
