import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { pages } from '../pages/pages.ts';
import { Empty } from '../parts/empty.tsx';
import { Loading } from '../parts/loading.tsx';
import { matchRoute } from '../state/match-route.ts';
import { PagePaths } from '../state/page-paths.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { KeyHelp } from './key-help.tsx';
import { TopBar } from './top-bar.tsx';
import { useKeys } from './use-keys.ts';
import { useTitle } from './use-title.ts';
import { Zone } from './zone.tsx';

/** The bar, and below it the page that the address names. */
export function Frame({ sandbox }: { readonly sandbox: boolean }) {
  const shown = pages.filter((page) => sandbox || page.sandboxOnly !== true);
  useLocation();
  const help = useKeys();
  const { pathname } = window.location;
  const found = shown
    .flatMap((page) => page.routes.map((route) => ({ page, route })))
    .map(({ page, route }) => ({ page, route, params: matchRoute(route.path, pathname) }))
    .find(({ params }) => params !== undefined);
  const home = shown[0];
  const open =
    found ??
    (pathname === '/' && home?.routes[0] !== undefined
      ? { page: home, route: home.routes[0], params: {} }
      : undefined);
  useTitle(open);
  const View = open?.route.view;
  const paths = new Set(
    shown.flatMap(({ path, routes }) => [path, ...routes.map((route) => route.path)]),
  );
  return (
    <>
      <a className="skip" href="#main">
        To the content
      </a>
      <TopBar pages={shown} current={open?.page} sandbox={sandbox} onHelp={help.show} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<Loading what="the page" />}>
            {View === undefined ? (
              <Empty title="There is no such page">
                <p>The address may be incomplete. The bar above has every page.</p>
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
      <KeyHelp open={help.isShown} onClose={help.hide} />
    </>
  );
}
