import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type {
  AddOperatorBody,
  IssuedOperatorTokenJson,
  ListOperatorsAnswer,
  OperatorJson,
} from './generated/operators.ts';
import { apiPath, get, send } from './request.ts';

const key = ['operators'];

export function useOperators(): UseQueryResult<ListOperatorsAnswer> {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<ListOperatorsAnswer>('/api/operators', {}, signal),
  });
}

export function useAddOperator(): UseMutationResult<OperatorJson, Error, AddOperatorBody> {
  return useChange((body) => send<OperatorJson>('POST', '/api/operators', body));
}

export function useChangeRole(): UseMutationResult<
  OperatorJson,
  Error,
  { readonly id: string; readonly role: string }
> {
  return useChange(({ id, role }) => send('PATCH', apiPath('operators', id), { role }));
}

export function useRemoveOperator(): UseMutationResult<void, Error, string> {
  return useChange((id) => send<void>('DELETE', apiPath('operators', id)));
}

export function useIssueToken(): UseMutationResult<
  IssuedOperatorTokenJson,
  Error,
  { readonly id: string; readonly days: number }
> {
  return useChange(({ id, days }) => send('POST', apiPath('operators', id, 'tokens'), { days }));
}

function useChange<Answer, Input>(
  work: (input: Input) => Promise<Answer>,
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
}
