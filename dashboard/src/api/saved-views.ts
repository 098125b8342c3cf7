import { type UseMutationResult, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ListSavedViewsAnswer, SavedViewJson, SaveViewBody } from './generated/saved-views.ts';
import { apiPath, get, send } from './request.ts';
import { useChange } from './use-change.ts';

const key = ['saved-views'];
const viewsChange = { shown: key, afterRefusal: true };

export function useSavedViews(): UseQueryResult<ListSavedViewsAnswer> {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<ListSavedViewsAnswer>('/api/saved-views', {}, signal),
  });
}

export function useSaveView(): UseMutationResult<SavedViewJson, Error, SaveViewBody> {
  return useChange((body) => send('POST', '/api/saved-views', body), viewsChange);
}

export function useRemoveView(): UseMutationResult<void, Error, string> {
  return useChange((id) => send<void>('DELETE', apiPath('saved-views', id)), viewsChange);
}
