import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** The link of a row: j and k go from one to the next, Enter opens it. */
export function RowLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}) {
  return (
    <Link href={href} className="row-link" data-row>
      {children}
    </Link>
  );
}
