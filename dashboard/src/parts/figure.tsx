import type { ReactNode } from 'react';

/** One number that a page begins with, and what it is compared with. */
export function Figure({
  name,
  value,
  beside,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly beside?: ReactNode;
}) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="figure-value">{value}</dd>
      {beside !== undefined && <dd className="figure-beside">{beside}</dd>}
    </div>
  );
}

export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}
