import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  CountDeliveriesAnswer,
  CountDeliveriesQuery,
  DeliveryDetailJson,
  EndpointHealthJson,
  LoggedDeliveryJson,
  ReplayJson,
  SignatureVerdictJson,
} from './generated/deliveries.ts';
import type { EndpointSuccessJson } from './generated/webhook-endpoints.ts';
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

/** How an endpoint's first sends went in as many days. */
export function useEndpointSuccess(
  merchantId: string,
  endpointId: string,
  days: number,
): UseQueryResult<EndpointSuccessJson> {
  return useQuery({
    queryKey: ['endpoint-success', merchantId, endpointId, days],
    queryFn: ({ signal }) =>
      get<EndpointSuccessJson>(
        apiPath('merchants', merchantId, 'webhook-endpoints', endpointId, 'success'),
        { days },
        signal,
      ),
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
  /** A further endpoint's id. */
  readonly endpointId: string | undefined;
}

export function useDelivery({
  merchantId,
  eventId,
  endpointId,
}: EventKey): UseQueryResult<DeliveryDetailJson> {
  return useQuery<DeliveryDetailJson>({
    queryKey: ['delivery', merchantId, eventId, endpointId],
    queryFn: ({ signal }) =>
      get(
        apiPath('merchants', merchantId, 'deliveries', eventId),
        { endpoint_id: endpointId },
        signal,
      ),
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
  endpointId,
}: EventKey): UseMutationResult<unknown, Error, void> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const path = apiPath('merchants', merchantId, 'deliveries', eventId, 'replay');
      const query =
        endpointId === undefined ? '' : `?endpoint_id=${encodeURIComponent(endpointId)}`;
      return send('POST', `${path}${query}`);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['delivery', merchantId, eventId] });
      void queries.invalidateQueries({ queryKey: ['deliveries', merchantId] });
    },
  });
}

/** How many events a replay would send. */
export function useCountToReplay(
  merchantId: string,
  scope: CountDeliveriesQuery | undefined,
): UseQueryResult<CountDeliveriesAnswer> {
  return useQuery({
    queryKey: ['count-to-replay', merchantId, scope],
    queryFn: ({ signal }) =>
      get(apiPath('merchants', merchantId, 'deliveries', 'count'), { ...scope }, signal),
    enabled: scope !== undefined,
  });
}

export function useBeginReplay(
  merchantId: string,
): UseMutationResult<ReplayJson, Error, CountDeliveriesQuery> {
  return useMutation({
    mutationFn: (scope) => send('POST', apiPath('merchants', merchantId, 'replays'), { ...scope }),
  });
}

/** A replay; looks until each of its events was sent once. */
export function useReplay(merchantId: string, replayId: string): UseQueryResult<ReplayJson> {
  return useQuery<ReplayJson>({
    queryKey: ['replay', merchantId, replayId],
    queryFn: ({ signal }) => get(apiPath('merchants', merchantId, 'replays', replayId), {}, signal),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isAllSent(state.data) ? false : replayLookMs,
  });
}

const replayLookMs = 500;

export function isAllSent({ state, waiting }: ReplayJson): boolean {
  return state === 'done' && waiting === 0;
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
