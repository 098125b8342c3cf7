import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { CustomerJson } from './generated/customers.ts';
import { apiPath, get } from './request.ts';

/** A customer's account at a merchant. */
export function useCustomer(merchantId: string, customerId: string): UseQueryResult<CustomerJson> {
  return useQuery({
    queryKey: ['customer', merchantId, customerId],
    queryFn: ({ signal }) =>
      get<CustomerJson>(apiPath('merchants', merchantId, 'customers', customerId), {}, signal),
  });
}
