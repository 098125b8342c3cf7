import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  DismissIncidentBody,
  IncidentJson,
  ListIncidentsAnswer,
  ResolvedIncidentJson,
} from './generated/incidents.ts';
import { apiPath, get, type Query, send } from './request.ts';

export function useIncidents(query: Query): UseQueryResult<ListIncidentsAnswer> {
  return useQuery({
    queryKey: ['incidents', query],
    queryFn: ({ signal }) => get<ListIncidentsAnswer>('/api/incidents', query, signal),
    placeholderData: keepPreviousData,
  });
}

export function useIncident(id: string): UseQueryResult<IncidentJson> {
  return useQuery({
    queryKey: ['incident', id],
    queryFn: ({ signal }) => get<IncidentJson>(apiPath('incidents', id), {}, signal),
  });
}

/** Refunds or dismisses one; everything that shows it is read again after it. */
export function useResolve(
  id: string,
  action: 'refund' | 'dismiss',
): UseMutationResult<ResolvedIncidentJson, Error, DismissIncidentBody> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body) =>
      send<ResolvedIncidentJson>('POST', apiPath('incidents', id, action), body),
    // After a refusal too: the processor may have taken it, or another person decided it.
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['incident', id] });
      for (const key of ['incidents', 'overview', 'payment', 'payments']) {
        void queries.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}
