import { useEffect } from 'react';
import type { OpenPage } from './open-page.ts';

/** What the tab is named by what is open: `in_20931 · Payments · Recoup`. */
export function titleOf(open: OpenPage | undefined): string {
  const id = Object.values(open?.params ?? {}).at(-1);
  const name = open?.route.name ?? open?.page.name;
  return [id, name, 'Recoup'].filter((part) => part !== undefined).join(' · ');
}

/** Names the tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
