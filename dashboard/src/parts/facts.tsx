import type { ReactNode } from 'react';

/** Names and values, those without a value left out. */
export function Facts({
  items,
}: {
  readonly items: readonly (readonly [name: string, value: ReactNode])[];
}) {
  const shown = items.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return (
    <dl className="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
