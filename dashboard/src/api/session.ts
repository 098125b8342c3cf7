import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { NamedMerchant } from './merchants.ts';
import { ApiError, get, send } from './request.ts';

export const sessionKey = ['session'] as const;

/** What the dashboard knows of the service it stands on. */
export interface SessionView {
  readonly sandbox: boolean;
  /** How far the service's time is ahead of this machine's: the sandbox moves it. */
  readonly aheadMs: number;
  /** Absent for operators. */
  readonly portal?: PortalView;
  /** Who looks: another one is shown nothing of what this one was. */
  readonly viewer: string;
  /** An operator of all merchants, and of what is about them all: others are refused it. */
  readonly seesAll: boolean;
}

/** Somebody of a merchant looks at its portal. */
export interface PortalView {
  readonly merchant: NamedMerchant;
  /** Of the link that let them in. */
  readonly linkId: string | undefined;
}

interface SessionJson {
  readonly now: string;
  readonly sandbox: boolean;
  readonly portal?: {
    readonly merchant: PortalView['merchant'];
    readonly link_id?: string;
  };
  readonly operator?: {
    /** Absent for the one token. */
    readonly id?: string;
    readonly role: string;
    /** Absent for operators of all merchants. */
    readonly merchants?: readonly string[];
  };
}

const askAgainMs = 60_000;

/** `null`: nobody is signed in. */
export function useSession(): UseQueryResult<SessionView | null> {
  return useQuery({
    queryKey: sessionKey,
    queryFn: async ({ client }) => {
      const session = await readSession();
      if (session !== null) forgetOthers(client, session);
      return session;
    },
    refetchInterval: askAgainMs,
  });
}

let lastViewer: string | undefined;

/** What was read for one viewer is not shown to the next. */
function forgetOthers(client: QueryClient, { viewer }: SessionView): void {
  if (lastViewer !== undefined && lastViewer !== viewer) {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey !== sessionKey });
  }
  lastViewer = viewer;
}

async function readSession(): Promise<SessionView | null> {
  try {
    const { now, sandbox, portal, operator } = await get<SessionJson>('/api/session');
    return {
      sandbox,
      aheadMs: new Date(now).getTime() - Date.now(),
      viewer: JSON.stringify(operator ?? portal),
      seesAll: operator !== undefined && operator.merchants === undefined,
      ...(portal && { portal: { merchant: portal.merchant, linkId: portal.link_id } }),
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export function signIn(token: string): Promise<void> {
  return send<void>('POST', '/api/session', { token });
}

/** Opens a merchant's portal. */
export function enterPortal(
  by: { readonly portal_token: string } | { readonly api_key: string },
): Promise<void> {
  return send<void>('POST', '/api/session', by);
}

/** What the sign-in page offers beside the token. */
export function useSignInWays(): UseQueryResult<{ readonly provider?: string }> {
  return useQuery({
    queryKey: ['sign-in'],
    queryFn: () => get('/api/sign-in'),
    staleTime: Infinity,
  });
}

export function signOut(): Promise<void> {
  return send<void>('DELETE', '/api/session');
}
