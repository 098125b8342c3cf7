import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  BatchJson,
  ClockJson,
  MagicMethodJson,
  MoveClockAnswer,
  PlannedWorkJson,
} from './generated/sandbox.ts';
import { apiPath, get, send } from './request.ts';

/** One of the three. */
export type Move =
  | { readonly advance: string }
  | { readonly to: string }
  | { readonly next_event: true };

/** Changes are told as they happen; this is for those that a broken connection missed. */
const lookEveryMs = 10_000;
const clockEveryMs = 10_000;

export function useClock(): UseQueryResult<ClockJson> {
  return useQuery({
    queryKey: ['clock'],
    queryFn: ({ signal }) => get<ClockJson>('/api/sandbox/clock', {}, signal),
    refetchInterval: clockEveryMs,
  });
}

/** Asks what an advance by an ISO 8601 duration would do; nothing moves. */
export function useAskPlanned(): UseMutationResult<PlannedWorkJson, Error, string> {
  return useMutation({
    mutationFn: async (advance: string) => {
      const { planned } = await get<{ planned: PlannedWorkJson }>('/api/sandbox/clock', {
        advance,
      });
      return planned;
    },
  });
}

/** Moves time; everything on the pages is of another time then, and is read again. */
export function useMoveClock(): UseMutationResult<MoveClockAnswer, Error, Move> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (move: Move) => send<MoveClockAnswer>('POST', '/api/sandbox/clock', move),
    onSettled: () => queries.invalidateQueries(),
  });
}

export function useMagicMethods(): UseQueryResult<{ readonly items: readonly MagicMethodJson[] }> {
  return useQuery({
    queryKey: ['magic-methods'],
    queryFn: ({ signal }) => get('/api/sandbox/payment-methods', {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSubmitPayments(): UseMutationResult<
  { readonly batch: string },
  Error,
  { readonly count: number; readonly seed: number }
> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly count: number; readonly seed: number }) =>
      send<{ batch: string }>('POST', '/api/sandbox/payments', body),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['payments'] }),
  });
}

/** How a batch stands. */
export function useBatch(batch: string): UseQueryResult<BatchJson> {
  return useQuery({
    queryKey: ['batch', batch],
    queryFn: ({ signal }) => get<BatchJson>(apiPath('sandbox', 'payments', batch), {}, signal),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.totals.some(isOpen) ? lookEveryMs : false,
  });
}

/** Has a batch read again. */
export function useReadBatchAgain(batch: string): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['batch', batch] });
}

export function isOpen({ status }: { readonly status: string }): boolean {
  return status === 'scheduled' || status === 'attempting';
}
