import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { type Edit, useEdit } from './edit.ts';
import type {
  CustomerMessageJson,
  MessageReportJson,
  MessageSettingsJson,
} from './generated/messages.ts';
import { apiPath, get, send } from './request.ts';

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

export function useEditMessages(
  merchantId: string,
): UseMutationResult<MessageSettingsJson, Error, Edit> {
  const path = apiPath('merchants', merchantId, 'message-settings');
  const shown = ['merchant', merchantId, 'message-settings'];
  return useEdit(path, () => get<MessageSettingsJson>(path), { shown });
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
