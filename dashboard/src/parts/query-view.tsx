import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failed } from './failed.tsx';
import { Loading } from './loading.tsx';

/** The three states of an answer: on its way, failed with a retry, there. */
export function QueryView<Data>({
  query,
  what,
  rows,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly what: string;
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) {
    return <Failed what={what} error={query.error} retry={() => void query.refetch()} />;
  }
  return <Loading what={what} {...(rows === undefined ? {} : { rows })} />;
}
