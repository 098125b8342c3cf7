import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useViewState } from '../../state/view-state.ts';

const views = [
  ['/policy', 'Results'],
  ['/policy/models', 'Models'],
  ['/policy/what-if', 'What if'],
] as const;

export type PolicyPath = (typeof views)[number][0];

/** The head of each view of the page, with the way to the others. */
export function PolicyHead({
  path,
  title,
  children,
}: {
  readonly path: PolicyPath;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  const view = useViewState();
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {children}
      <nav aria-label="Policy" className="views">
        {views.map(([each, words]) => (
          <Link
            key={each}
            href={view.href(each)}
            {...(each === path ? { 'aria-current': 'page' as const } : {})}
          >
            {words}
          </Link>
        ))}
      </nav>
    </div>
  );
}
