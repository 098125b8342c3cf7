import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { announce } from './announced.tsx';
import { Failed } from './failed.tsx';
import { Late } from './late.tsx';
import { Loading } from './loading.tsx';

/**
 * The three states of an answer: on its way, failed with a retry, there. What failed stays so while it is asked
 * again, and what is shown while another answer is on its way is marked as the one from before.
 */
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
  useArrival(query, what);
  const [failure, setFailure] = useState<Error | null>(null);
  if (query.error !== null && query.error !== failure) setFailure(query.error);
  if (query.data !== undefined) {
    return (
      <>
        {query.isPlaceholderData && <Late what={what} />}
        {children(query.data)}
      </>
    );
  }
  // The error is not there while the same is asked once more.
  const error = query.error ?? (query.errorUpdateCount > 0 ? failure : null);
  if (error !== null) {
    return (
      <Failed
        what={what}
        error={error}
        isAsking={query.isFetching}
        retry={() => void query.refetch()}
      />
    );
  }
  return <Loading what={what} {...(rows === undefined ? {} : { rows })} />;
}

/** Says when the answer has come for which the one from before stood there. */
function useArrival({ isPlaceholderData, data }: UseQueryResult<unknown>, what: string): void {
  const isThere = data !== undefined && !isPlaceholderData;
  const wasLate = useRef(false);
  useEffect(() => {
    if (isThere && wasLate.current) announce(`Loaded ${what}`);
    wasLate.current = isPlaceholderData;
  }, [isThere, isPlaceholderData, what]);
}
