import {
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  AssignDisputeAnswer,
  DisputeJson,
  DisputeNoteJson,
  ShowAssigneesAnswer,
} from './generated/disputes.ts';
import { apiPath, get, type Query, send } from './request.ts';

/** Who may be given disputes of a merchant, or of any. */
export function useAssignees(query: Query): UseQueryResult<ShowAssigneesAnswer> {
  return useQuery({
    queryKey: ['dispute-assignees', query],
    queryFn: ({ signal }) => get<ShowAssigneesAnswer>('/api/dispute-assignees', query, signal),
    staleTime: 60_000,
  });
}

/** By an operator's id, `me` or `none`. */
export function useAssign(id: string): UseMutationResult<AssignDisputeAnswer, Error, string> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (to: string) =>
      send<AssignDisputeAnswer>('POST', apiPath('disputes', id, 'assign'), { assigned_to: to }),
    onSuccess({ assignee }) {
      keepIn(queries, id, ({ assignee: _, ...dispute }) => ({
        ...dispute,
        ...(assignee !== undefined && { assignee }),
      }));
      void queries.invalidateQueries({ queryKey: ['disputes'] });
    },
  });
}

export function useAddNote(id: string): UseMutationResult<DisputeNoteJson, Error, string> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (text: string) =>
      send<DisputeNoteJson>('POST', apiPath('disputes', id, 'notes'), { text }),
    onSuccess(note) {
      keepIn(queries, id, (dispute) => ({ ...dispute, notes: [...(dispute.notes ?? []), note] }));
    },
  });
}

export function useRemoveNote(id: string): UseMutationResult<unknown, Error, string> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (noteId: string) => send('DELETE', apiPath('disputes', id, 'notes', noteId)),
    onSuccess(_answer, noteId) {
      keepIn(queries, id, (dispute) => ({
        ...dispute,
        notes: dispute.notes?.filter((note) => note.id !== noteId) ?? [],
      }));
    },
  });
}

/** Without reading the dispute again, which would open the customer's analytics records. */
function keepIn(
  queries: QueryClient,
  id: string,
  change: (dispute: DisputeJson) => DisputeJson,
): void {
  queries.setQueryData<DisputeJson>(['dispute', id], (known) => known && change(known));
}
