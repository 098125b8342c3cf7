import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { type Edit, useEdit } from './edit.ts';
import type { EndpointTestJson } from './generated/merchants.ts';
import type {
  SignedWebhookEndpointJson,
  WebhookEndpointJson,
} from './generated/webhook-endpoints.ts';
import { apiPath, get, send } from './request.ts';
import { useChange } from './use-change.ts';

interface EndpointsJson {
  readonly items: readonly WebhookEndpointJson[];
}

/** A merchant's webhook endpoints, its own webhook address first. */
export function useMerchantEndpoints(merchantId: string): UseQueryResult<EndpointsJson> {
  return useQuery({
    queryKey: ['merchant', merchantId, 'endpoints'],
    queryFn: ({ signal }) => get(apiPath('merchants', merchantId, 'webhook-endpoints'), {}, signal),
  });
}

export function useCreateEndpoint(
  merchantId: string,
): UseMutationResult<SignedWebhookEndpointJson, Error, object> {
  return useChange(
    (body: object) => send('POST', apiPath('merchants', merchantId, 'webhook-endpoints'), body),
    ofEndpoints(merchantId),
  );
}

export function useEditEndpoint(
  merchantId: string,
  endpointId: string,
): UseMutationResult<WebhookEndpointJson, Error, Edit> {
  const list = apiPath('merchants', merchantId, 'webhook-endpoints');
  const read = async () => {
    const { items } = await get<EndpointsJson>(list);
    return items.find(({ id }) => id === endpointId);
  };
  return useEdit(`${list}/${encodeURIComponent(endpointId)}`, read, ofEndpoints(merchantId));
}

export function useRemoveEndpoint(merchantId: string): UseMutationResult<void, Error, string> {
  return useChange(
    (id: string) => send('DELETE', apiPath('merchants', merchantId, 'webhook-endpoints', id)),
    ofEndpoints(merchantId),
  );
}

export type EndpointAct = 'pause' | 'resume';

export function useActOnEndpoint(
  merchantId: string,
): UseMutationResult<unknown, Error, { readonly id: string; readonly act: EndpointAct }> {
  return useChange(
    ({ id, act }: { readonly id: string; readonly act: EndpointAct }) =>
      send('POST', apiPath('merchants', merchantId, 'webhook-endpoints', id, act)),
    ofEndpoints(merchantId),
  );
}

export function useRotateEndpointSecret(
  merchantId: string,
): UseMutationResult<SignedWebhookEndpointJson, Error, string> {
  return useChange(
    (id: string) =>
      send('POST', apiPath('merchants', merchantId, 'webhook-endpoints', id, 'rotate-secret'), {}),
    ofEndpoints(merchantId),
  );
}

export function useTestFurtherEndpoint(
  merchantId: string,
): UseMutationResult<EndpointTestJson, Error, string> {
  return useMutation({
    mutationFn: (id: string) =>
      send<EndpointTestJson>(
        'POST',
        apiPath('merchants', merchantId, 'webhook-endpoints', id, 'test'),
      ),
  });
}

function ofEndpoints(merchantId: string) {
  return {
    shown: ['merchant', merchantId, 'endpoints'],
    others: [['endpoints'], ['overview']],
  };
}
