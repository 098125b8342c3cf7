import { useEffect } from 'react';
import type { Page, PageRoute } from '../state/page.ts';

interface Open {
  readonly page: Page | undefined;
  readonly route: PageRoute;
  readonly params: Readonly<Record<string, string>> | undefined;
}

/** Names what is open in the tab: `in_20931 · Payments · Recoup`. */
export function useTitle(open: Open | undefined): void {
  const id = Object.values(open?.params ?? {}).at(-1);
  const name = open?.route.name ?? open?.page?.name;
  const title = [id, name, 'Recoup'].filter((part) => part !== undefined).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
