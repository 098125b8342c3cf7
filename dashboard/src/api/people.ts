import { type UseMutationResult, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Edit, useEdit } from './edit.ts';
import type {
  AddOperatorBody,
  IssuedOperatorTokenJson,
  ListOperatorsAnswer,
  OperatorJson,
} from './generated/operators.ts';
import { apiPath, get, send } from './request.ts';
import { useChange } from './use-change.ts';

const key = ['operators'];
/** A refused change shows what another operator did meanwhile. */
const operatorsChange = { shown: key, afterRefusal: true };

export function useOperators(): UseQueryResult<ListOperatorsAnswer> {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<ListOperatorsAnswer>('/api/operators', {}, signal),
  });
}

export function useAddOperator(): UseMutationResult<OperatorJson, Error, AddOperatorBody> {
  return useChange((body) => send<OperatorJson>('POST', '/api/operators', body), operatorsChange);
}

export function useEditOperator(operatorId: string): UseMutationResult<OperatorJson, Error, Edit> {
  const read = async () => {
    const { items } = await get<ListOperatorsAnswer>('/api/operators');
    return items.find(({ id }) => id === operatorId);
  };
  return useEdit(apiPath('operators', operatorId), read, operatorsChange);
}

export function useRemoveOperator(): UseMutationResult<void, Error, string> {
  return useChange((id) => send<void>('DELETE', apiPath('operators', id)), operatorsChange);
}

export function useIssueToken(): UseMutationResult<
  IssuedOperatorTokenJson,
  Error,
  { readonly id: string; readonly days: number }
> {
  return useChange(
    ({ id, days }) => send('POST', apiPath('operators', id, 'tokens'), { days }),
    operatorsChange,
  );
}
