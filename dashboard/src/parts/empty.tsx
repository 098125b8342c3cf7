import type { ReactNode } from 'react';

/** There is nothing to show, and what to do about it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <section className="state state-empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
