import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { MerchantJson } from './merchants.ts';
import { apiPath, get, send } from './request.ts';

export interface PolicyJson {
  readonly kind: string;
  readonly window_days: number;
  readonly max_attempts: number;
  readonly fixed_days: readonly number[];
}

/** A merchant with all its settings; secrets are never among them. */
export interface OneMerchantJson extends MerchantJson {
  readonly auth: { readonly type: string };
  readonly psps: readonly { readonly psp: string; readonly webhook_url: string }[];
  readonly policy: PolicyJson;
  readonly end_of_dunning: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Shown once, right after the creation. */
export interface CreatedMerchantJson extends OneMerchantJson {
  readonly recovery_api_key: string;
  readonly disputes_username: string;
  readonly disputes_password: string;
  readonly signing_secret: string;
}

export interface PspJson {
  readonly psp: string;
  readonly credentials: readonly PspFieldJson[];
}

export interface PspFieldJson {
  readonly name: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly meaning: string;
}

export interface PspCheckJson {
  readonly psp: string;
  readonly result: string;
  readonly account?: string;
  readonly reason?: string;
  readonly warnings?: readonly string[];
  readonly checked_at: string;
}

export interface CredentialJson {
  readonly id: string;
  readonly kind: string;
  readonly hint: string;
  readonly created_at: string;
  readonly expires_at?: string;
  readonly revoked_at?: string;
  readonly last_used_at?: string;
}

export interface EndpointTestJson {
  readonly endpoint: string;
  readonly result: string;
  readonly status?: number;
  readonly duration_ms: number;
  readonly words: string;
  readonly advice?: string;
}

export function useMerchant(merchantId: string): UseQueryResult<OneMerchantJson> {
  return useQuery({
    queryKey: ['merchant', merchantId],
    queryFn: ({ signal }) => get<OneMerchantJson>(apiPath('merchants', merchantId), {}, signal),
  });
}

export function usePsps(): UseQueryResult<{ readonly items: readonly PspJson[] }> {
  return useQuery({
    queryKey: ['psps'],
    queryFn: ({ signal }) => get('/api/psps', {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useCredentials(
  merchantId: string,
): UseQueryResult<{ readonly items: readonly CredentialJson[] }> {
  return useQuery({
    queryKey: ['merchant', merchantId, 'credentials'],
    queryFn: ({ signal }) => get(apiPath('merchants', merchantId, 'credentials'), {}, signal),
  });
}

export function useCreateMerchant(): UseMutationResult<CreatedMerchantJson, Error, object> {
  return useChange(['merchants'], (body: object) => send('POST', '/api/merchants', body));
}

export function useChangeMerchant(
  merchantId: string,
): UseMutationResult<OneMerchantJson, Error, object> {
  return useChange(['merchant', merchantId], (body: object) =>
    send('PATCH', apiPath('merchants', merchantId), body),
  );
}

export function useTestEndpoint(
  merchantId: string,
): UseMutationResult<EndpointTestJson, Error, string> {
  return useMutation({
    mutationFn: (endpoint: string) =>
      send<EndpointTestJson>('POST', apiPath('merchants', merchantId, 'endpoints', 'test'), {
        endpoint,
      }),
  });
}

export function useConnectPsp(merchantId: string): UseMutationResult<PspCheckJson, Error, object> {
  return useChange(['merchant', merchantId], (body: object) =>
    send('POST', apiPath('merchants', merchantId, 'psps'), body),
  );
}

export function useTestPsp(merchantId: string): UseMutationResult<PspCheckJson, Error, string> {
  return useMutation({
    mutationFn: (psp: string) =>
      send<PspCheckJson>('POST', apiPath('merchants', merchantId, 'psps', psp, 'test')),
  });
}

export function useDisconnectPsp(merchantId: string): UseMutationResult<void, Error, string> {
  return useChange(['merchant', merchantId], (psp: string) =>
    send('DELETE', apiPath('merchants', merchantId, 'psps', psp)),
  );
}

export interface IssueJson {
  readonly kind: string;
  /** How long the present ones stay; absent: a further one beside them. */
  readonly overlap?: string;
}

export function useIssueCredential(
  merchantId: string,
): UseMutationResult<CredentialJson & { readonly text: string }, Error, IssueJson> {
  return useChange(['merchant', merchantId], (body: IssueJson) =>
    send(
      'POST',
      body.overlap === undefined
        ? apiPath('merchants', merchantId, 'credentials')
        : apiPath('merchants', merchantId, 'credentials', 'rotate'),
      body,
    ),
  );
}

export function useRevokeCredential(merchantId: string): UseMutationResult<void, Error, string> {
  return useChange(['merchant', merchantId], (id: string) =>
    send('DELETE', apiPath('merchants', merchantId, 'credentials', id)),
  );
}

function useChange<Body, Answer>(
  queryKey: readonly string[],
  mutationFn: (body: Body) => Promise<Answer>,
): UseMutationResult<Answer, Error, Body> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: ['merchants'] });
    },
  });
}
