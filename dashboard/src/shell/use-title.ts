import { useEffect } from 'react';
import type { OpenPage } from './open-page.ts';

/** Names what is open in the tab: `in_20931 · Payments · Recoup`. */
export function useTitle(open: OpenPage | undefined): void {
  const id = Object.values(open?.params ?? {}).at(-1);
  const name = open?.route.name ?? open?.page.name;
  const title = [id, name, 'Recoup'].filter((part) => part !== undefined).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
