import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ListSetAsideAnswer, RetrySetAsideBody } from './generated/set-aside.ts';
import { ApiError, get, type Query, send } from './request.ts';

export function useSetAside(query: Query): UseQueryResult<ListSetAsideAnswer> {
  return useQuery({
    queryKey: ['set-aside', query],
    queryFn: ({ signal }) => get<ListSetAsideAnswer>('/api/set-aside', query, signal),
    placeholderData: keepPreviousData,
  });
}

export interface Retried {
  /** Rows that are due again, and those that are set aside no more, or frozen by an incident. */
  readonly due: number;
  readonly left: number;
}

/**
 * Has rows done again, one call each; `onStep` hears how many were asked for. A refusal other than
 * "not set aside" ends it; what came before it stays done.
 */
export function useRetrySetAside(
  onStep: (asked: number) => void,
): UseMutationResult<Retried, Error, readonly RetrySetAsideBody[]> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (rows) => {
      let due = 0;
      for (const [index, { kind, merchant_id, id }] of rows.entries()) {
        if (await isRetried({ kind, merchant_id, id })) due += 1;
        onStep(index + 1);
      }
      return { due, left: rows.length - due };
    },
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['set-aside'] });
      for (const key of ['overview', 'payment', 'payments']) {
        void queries.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}

async function isRetried(row: RetrySetAsideBody): Promise<boolean> {
  try {
    await send('POST', '/api/set-aside/retry', row);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
