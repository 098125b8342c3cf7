import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './request.ts';
import { sessionKey } from './session.ts';

/** A session that has ended shows the sign-in page, whichever answer told of it. */
const queryCache = new QueryCache({
  onError(error, query) {
    if (error instanceof ApiError && error.status === 401 && query.queryKey !== sessionKey) {
      void queryClient.invalidateQueries({ queryKey: sessionKey });
    }
  },
});

export const queryClient: QueryClient = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Nothing moves without being asked: what changed waits behind the live bar.
      refetchOnWindowFocus: false,
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
      retryDelay: 500,
    },
  },
});
