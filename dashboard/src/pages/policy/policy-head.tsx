import type { ReactNode } from 'react';
import { ViewLinks } from '../../parts/view-links.tsx';

const views = [
  ['/policy', 'Results'],
  ['/policy/models', 'Models'],
  ['/policy/what-if', 'Backtest'],
] as const;

export type PolicyPath = (typeof views)[number][0];

/** The head of each view of the page, with the way to the others. */
export function PolicyHead({
  path,
  title,
  children,
  actions,
}: {
  readonly path: PolicyPath;
  readonly title: string;
  readonly children?: ReactNode;
  /** What can be done with the view. */
  readonly actions?: ReactNode;
}) {
  return (
    <div className="page-head">
      <div className="page-title">
        <h1>{title}</h1>
        {children}
      </div>
      <ViewLinks label="Policy" links={views} current={path} />
      {actions !== undefined && <div className="filters">{actions}</div>}
    </div>
  );
}
