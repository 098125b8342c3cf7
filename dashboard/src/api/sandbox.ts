import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { PaymentJson } from './payments.ts';
import { apiPath, get, send } from './request.ts';

export interface ClockJson {
  readonly now: string;
  readonly offset_ms: number;
  readonly next_event_at?: string;
}

/** What moving time would do; what follows from it comes on top. */
export interface PlannedJson {
  readonly attempts: number;
  readonly deliveries: number;
}

/** One of the three. */
export type Move =
  | { readonly advance: string }
  | { readonly to: string }
  | { readonly next_event: true };

export interface MovedJson {
  readonly now: string;
  readonly jumps: number;
}

export interface MagicMethodJson {
  readonly id: string;
  readonly examples: readonly string[];
  readonly meaning: string;
}

export interface BatchJson {
  readonly totals: readonly BatchTotalJson[];
  readonly latest: readonly PaymentJson[];
}

export interface BatchTotalJson {
  readonly status: string;
  readonly currency: string;
  readonly count: number;
  readonly amount: number;
}

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
export function useAskPlanned(): UseMutationResult<PlannedJson, Error, string> {
  return useMutation({
    mutationFn: async (advance: string) => {
      const { planned } = await get<{ planned: PlannedJson }>('/api/sandbox/clock', { advance });
      return planned;
    },
  });
}

/** Moves time; everything on the pages is of another time then, and is read again. */
export function useMoveClock(): UseMutationResult<MovedJson, Error, Move> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (move: Move) => send<MovedJson>('POST', '/api/sandbox/clock', move),
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
