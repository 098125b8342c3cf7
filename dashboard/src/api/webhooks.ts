import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  DeliveryDetailJson,
  EndpointHealthJson,
  LoggedDeliveryJson,
  SignatureVerdictJson,
} from './generated/deliveries.ts';
import type { PageOf } from './merchants.ts';
import { apiPath, get, type Query, send } from './request.ts';

export function useEndpoints(
  merchantId: string | undefined,
): UseQueryResult<{ readonly items: readonly EndpointHealthJson[] }> {
  return useQuery({
    queryKey: ['endpoints', merchantId],
    queryFn: ({ signal }) => get('/api/endpoints', { merchant_id: merchantId }, signal),
    placeholderData: keepPreviousData,
  });
}

export function useDeliveries(
  merchantId: string,
  query: Query,
): UseQueryResult<PageOf<LoggedDeliveryJson>> {
  return useQuery({
    queryKey: ['deliveries', merchantId, query],
    queryFn: ({ signal }) => get(apiPath('merchants', merchantId, 'deliveries'), query, signal),
    placeholderData: keepPreviousData,
  });
}

interface EventKey {
  readonly merchantId: string;
  readonly eventId: string;
}

export function useDelivery({ merchantId, eventId }: EventKey): UseQueryResult<DeliveryDetailJson> {
  return useQuery<DeliveryDetailJson>({
    queryKey: ['delivery', merchantId, eventId],
    queryFn: ({ signal }) =>
      get(apiPath('merchants', merchantId, 'deliveries', eventId), {}, signal),
    // A redelivery that was asked for is sent within a second or so.
    refetchInterval: ({ state }) =>
      state.data?.delivery.status === 'pending' ? pendingLookMs : false,
  });
}

const pendingLookMs = 2_000;

/** Sends one event again. */
export function useRedeliver({
  merchantId,
  eventId,
}: EventKey): UseMutationResult<unknown, Error, void> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      send('POST', apiPath('merchants', merchantId, 'deliveries', eventId, 'replay')),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['delivery', merchantId, eventId] });
      void queries.invalidateQueries({ queryKey: ['deliveries', merchantId] });
    },
  });
}

/** What of a time is not delivered: given up, queued and not yet sent, or sent and not taken. */
export interface ReplayLeftJson {
  readonly exhausted: number;
  readonly waiting: number;
  readonly failing: number;
}

export interface ReplayBegunJson {
  readonly queued: number;
  readonly begun_at: string;
}

/** How many given up events a replay would send. */
export function useExhausted(merchantId: string, since: string): UseQueryResult<ReplayLeftJson> {
  return useQuery({
    queryKey: ['exhausted', merchantId, since],
    queryFn: ({ signal }) => get(replayPath(merchantId), { since }, signal),
  });
}

/** What a replay has still to do; looks until nothing is left. */
export function useReplayLeft(
  merchantId: string,
  replay: { readonly since: string; readonly begunAt: string },
): UseQueryResult<ReplayLeftJson> {
  const { since, begunAt: until } = replay;
  return useQuery<ReplayLeftJson>({
    queryKey: ['replay-left', merchantId, since, until],
    queryFn: ({ signal }) => get(replayPath(merchantId), { since, until }, signal),
    refetchInterval: ({ state }) =>
      state.data !== undefined && openOf(state.data) === 0 ? false : leftLookMs,
  });
}

const leftLookMs = 500;

/** Events that a replay has still to send. */
export function openOf({ exhausted, waiting }: ReplayLeftJson): number {
  return exhausted + waiting;
}

export function useReplay(merchantId: string): UseMutationResult<ReplayBegunJson, Error, string> {
  return useMutation({
    mutationFn: (since: string) => send('POST', replayPath(merchantId), { since }),
  });
}

function replayPath(merchantId: string): string {
  return apiPath('merchants', merchantId, 'deliveries', 'replay');
}

export function useSignatureTest(
  merchantId: string,
): UseMutationResult<
  SignatureVerdictJson,
  Error,
  { body: string; expiration: string; signature: string }
> {
  return useMutation({
    mutationFn: (test) =>
      send('POST', apiPath('merchants', merchantId, 'webhooks', 'verify'), test),
  });
}
