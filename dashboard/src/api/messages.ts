import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type {
  ChangeMessageSettingsBody,
  CustomerMessageJson,
  MessageReportJson,
  MessageSettingsJson,
} from './generated/messages.ts';
import { apiPath, get, send } from './request.ts';
import { useChange } from './use-change.ts';

/** How a merchant's customers are written to. */
export function useMessageSettings(merchantId: string): UseQueryResult<MessageSettingsJson> {
  return useQuery({
    queryKey: ['merchant', merchantId, 'message-settings'],
    queryFn: ({ signal }) => get(apiPath('merchants', merchantId, 'message-settings'), {}, signal),
  });
}

export function useMessageReport(merchantId: string): UseQueryResult<MessageReportJson> {
  return useQuery({
    queryKey: ['merchant', merchantId, 'message-report'],
    queryFn: ({ signal }) => get(apiPath('merchants', merchantId, 'message-report'), {}, signal),
  });
}

/** The last ones. */
export function useCustomerMessages(
  merchantId: string,
  limit: number,
): UseQueryResult<{ readonly items: readonly CustomerMessageJson[] }> {
  return useQuery({
    queryKey: ['merchant', merchantId, 'customer-messages', limit],
    queryFn: ({ signal }) =>
      get(apiPath('merchants', merchantId, 'customer-messages'), { limit: String(limit) }, signal),
  });
}

export function useChangeMessages(
  merchantId: string,
): UseMutationResult<MessageSettingsJson, Error, ChangeMessageSettingsBody> {
  return useChange(
    (body: ChangeMessageSettingsBody) =>
      send('PATCH', apiPath('merchants', merchantId, 'message-settings'), body),
    { shown: ['merchant', merchantId, 'message-settings'] },
  );
}

export interface MessageTestJson {
  readonly sent: boolean;
  readonly detail?: string;
}

export function useTestMessage(
  merchantId: string,
): UseMutationResult<MessageTestJson, Error, object> {
  return useMutation({
    mutationFn: (body: object) =>
      send<MessageTestJson>('POST', apiPath('merchants', merchantId, 'message-tests'), body),
  });
}
