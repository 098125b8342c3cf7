import { createContext, useContext } from 'react';
import type { PortalView } from '../api/session.ts';

/**
 * What every address of a portal begins with: `/portal`, or with the id of its link where another site frames
 * it. Empty for operators. It stays as long as the page is open.
 */
export const portalBase =
  /^\/portal(?:\/plk_[0-9a-z]{24})?(?=\/|$)/.exec(window.location.pathname)?.[0] ?? '';

/** The address after what a portal's begin with. */
export function pagePath(): string {
  return window.location.pathname.slice(portalBase.length) || '/';
}

/** The secret of a link, which is taken out of the address; undefined where there is none. */
export function takePortalToken(): string | undefined {
  const { hash, pathname, search } = window.location;
  if (portalBase === '' || !hash.startsWith('#portal_')) return undefined;
  window.history.replaceState(null, '', pathname + search);
  return hash.slice(1);
}

/** A link that is opened in a tab which shows a portal already loads nothing by itself: only the # is new. */
export function openFurtherLinks(): void {
  window.addEventListener('hashchange', () => {
    if (portalBase !== '' && window.location.hash.startsWith('#portal_')) window.location.reload();
  });
}

/** Whether a session is of the portal that the address names. */
export function isOfThisPortal(portal: PortalView): boolean {
  const linkId = /plk_.*$/.exec(portalBase)?.[0];
  return portalBase !== '' && (linkId === undefined || linkId === portal.linkId);
}

/** The portal that is looked at; undefined for operators. */
export const Portal = createContext<PortalView | undefined>(undefined);

export function usePortal(): PortalView | undefined {
  return useContext(Portal);
}
