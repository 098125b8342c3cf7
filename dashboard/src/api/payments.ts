import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { PaymentSummaryJson, TimelineJson } from './generated/payments.ts';
import type { PageOf } from './merchants.ts';
import { apiPath, get, type Query, send } from './request.ts';

export function usePayments(query: Query): UseQueryResult<PageOf<PaymentSummaryJson>> {
  return useQuery({
    queryKey: ['payments', query],
    queryFn: ({ signal }) => get<PageOf<PaymentSummaryJson>>('/api/payments', query, signal),
    placeholderData: keepPreviousData,
  });
}

/** The first two payments that a text names: whether it is one alone. */
export function useFindPayments(): (
  search: string,
  merchantId: string | undefined,
) => Promise<readonly PaymentSummaryJson[]> {
  const queries = useQueryClient();
  return async (search, merchantId) => {
    const query = { search, merchant_id: merchantId, limit: 2 };
    const page = await queries.fetchQuery({
      queryKey: ['payments', query],
      queryFn: ({ signal }) => get<PageOf<PaymentSummaryJson>>('/api/payments', query, signal),
    });
    return page.items;
  };
}

interface Key {
  readonly merchantId: string;
  readonly invoiceId: string;
}

export function useTimeline({ merchantId, invoiceId }: Key): UseQueryResult<TimelineJson> {
  return useQuery({
    queryKey: ['payment', merchantId, invoiceId],
    queryFn: ({ signal }) =>
      get<TimelineJson>(
        apiPath('merchants', merchantId, 'payments', invoiceId, 'timeline'),
        {},
        signal,
      ),
  });
}

/** Retries or stops; lists and the payment itself are read again after it. */
export function useAction<Body extends object, Answer>(
  { merchantId, invoiceId }: Key,
  action: 'retry' | 'stop',
): UseMutationResult<Answer, Error, Body> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) =>
      send<Answer>('POST', apiPath('merchants', merchantId, 'payments', invoiceId, action), body),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['payment', merchantId, invoiceId] });
      void queries.invalidateQueries({ queryKey: ['payments'] });
    },
  });
}
