import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { type Edit, useEdit } from './edit.ts';
import type { CredentialJson } from './generated/credentials.ts';
import type {
  CreatedMerchantJson,
  EndpointTestJson,
  ListMonthlyStatementsAnswer,
  MerchantJson,
} from './generated/merchants.ts';
import type {
  DisconnectedPspJson,
  PspAccountJson,
  PspConnectionJson,
  SupportedPspJson,
} from './generated/psp-connections.ts';
import { apiPath, get, send } from './request.ts';
import { useChange } from './use-change.ts';

export function useMerchant(merchantId: string): UseQueryResult<MerchantJson> {
  return useQuery({
    queryKey: ['merchant', merchantId],
    queryFn: ({ signal }) => get<MerchantJson>(apiPath('merchants', merchantId), {}, signal),
  });
}

export function usePsps(): UseQueryResult<{ readonly items: readonly SupportedPspJson[] }> {
  return useQuery({
    queryKey: ['psps'],
    queryFn: ({ signal }) => get('/api/psps', {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The merchant's accounts, present and past, with what is open at each. */
export function usePspAccounts(
  merchantId: string,
): UseQueryResult<{ readonly items: readonly PspAccountJson[] }> {
  return useQuery({
    queryKey: ['merchant', merchantId, 'psps'],
    queryFn: ({ signal }) => get(apiPath('merchants', merchantId, 'psps'), {}, signal),
  });
}

/** The months of which there is a statement, the newest first. */
export function useStatedMonths(merchantId: string): UseQueryResult<ListMonthlyStatementsAnswer> {
  return useQuery({
    queryKey: ['merchant', merchantId, 'months'],
    queryFn: ({ signal }) =>
      get(apiPath('merchants', merchantId, 'monthly-statements'), {}, signal),
  });
}

/** Where a month's statement is as a file: an address that a plain link opens. */
export function statementPath(merchantId: string, month: string, format: 'pdf' | 'csv'): string {
  return `${apiPath('merchants', merchantId, 'monthly-statements', month)}?format=${format}`;
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
  return useChange((body: object) => send('POST', '/api/merchants', body), {
    shown: ['merchants'],
  });
}

export function useEditMerchant(merchantId: string): UseMutationResult<MerchantJson, Error, Edit> {
  const path = apiPath('merchants', merchantId);
  return useEdit(path, () => get<MerchantJson>(path), ofMerchant(merchantId));
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

export function useConnectPsp(
  merchantId: string,
): UseMutationResult<PspConnectionJson, Error, object> {
  return useChange(
    (body: object) => send('POST', apiPath('merchants', merchantId, 'psps'), body),
    ofMerchant(merchantId),
  );
}

export function useTestPsp(
  merchantId: string,
): UseMutationResult<PspConnectionJson, Error, string> {
  return useMutation({
    mutationFn: (psp: string) =>
      send<PspConnectionJson>('POST', apiPath('merchants', merchantId, 'psps', psp, 'test')),
  });
}

export function useDisconnectPsp(
  merchantId: string,
): UseMutationResult<DisconnectedPspJson, Error, string> {
  return useChange(
    (psp: string) => send('DELETE', apiPath('merchants', merchantId, 'psps', psp)),
    ofMerchant(merchantId),
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
  return useChange(
    (body: IssueJson) =>
      send(
        'POST',
        body.overlap === undefined
          ? apiPath('merchants', merchantId, 'credentials')
          : apiPath('merchants', merchantId, 'credentials', 'rotate'),
        body,
      ),
    ofMerchant(merchantId),
  );
}

export function useRevokeCredential(merchantId: string): UseMutationResult<void, Error, string> {
  return useChange(
    (id: string) => send('DELETE', apiPath('merchants', merchantId, 'credentials', id)),
    ofMerchant(merchantId),
  );
}

function ofMerchant(merchantId: string) {
  return { shown: ['merchant', merchantId], others: [['merchants']] };
}
