import { matchRoute } from '../state/match-route.ts';
import type { Page, PageRoute } from '../state/page.ts';

/** The page that an address names, its route, and the parts of the address that the route names. */
export interface OpenPage {
  readonly page: Page;
  readonly route: PageRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** The first page stands at `/` too. */
export function openPage(pages: readonly Page[], pathname: string): OpenPage | undefined {
  for (const page of pages) {
    for (const route of page.routes) {
      const params = matchRoute(route.path, pathname);
      if (params !== undefined) return { page, route, params };
    }
  }
  const [home] = pages;
  const route = home?.routes[0];
  if (pathname !== '/' || home === undefined || route === undefined) return undefined;
  return { page: home, route, params: {} };
}
