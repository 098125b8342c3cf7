import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './request.ts';
import { sessionKey } from './session.ts';

/** A session that has ended shows the sign-in page, whichever answer told of it. */
const queryCache = new QueryCache({
  onError(error, query) {
    if (query.queryKey !== sessionKey) askForSession(error);
  },
});
const mutationCache = new MutationCache({ onError: askForSession });

function askForSession(error: Error): void {
  if (error instanceof ApiError && error.status === 401) {
    void queryClient.invalidateQueries({ queryKey: sessionKey });
  }
}

export const queryClient: QueryClient = new QueryClient({
  queryCache,
  mutationCache,
  defaultOptions: {
    queries: {
      // Asked whatever the browser thinks of its network: the service may stand on this machine.
      networkMode: 'always',
      staleTime: 10_000,
      // Nothing moves without being asked: what changed waits behind the live bar.
      refetchOnWindowFocus: false,
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
      retryDelay: 500,
    },
    // What cannot be sent now has failed: it is not sent by itself, hours later, when the network is back.
    mutations: { networkMode: 'always' },
  },
});
