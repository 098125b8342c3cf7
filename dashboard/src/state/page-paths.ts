import { createContext, useContext } from 'react';

/** The paths of the pages that are there, so that nothing links to one that is not. */
export const PagePaths = createContext<ReadonlySet<string>>(new Set());

export function usePagePaths(): ReadonlySet<string> {
  return useContext(PagePaths);
}
