import type { CSSProperties, ReactNode } from 'react';

/** One number that a page begins with, and what it is compared with. */
export function Figure({
  name,
  value,
  beside,
}: {
  readonly name: string;
  readonly value: string | number;
  readonly beside?: ReactNode;
}) {
  const letters = { '--letters': longestWord(`${value}`) } as CSSProperties;
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="figure-value">
        <span style={letters}>{value}</span>
      </dd>
      {beside !== undefined && <dd className="figure-beside">{beside}</dd>}
    </div>
  );
}

/** What no line break parts: an amount and its currency have a space between them that holds. */
function longestWord(text: string): number {
  return Math.max(1, ...text.split(' ').map((word) => word.length));
}

export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}
