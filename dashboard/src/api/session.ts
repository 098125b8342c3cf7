import { type UseQueryResult, useQuery } from '@tanstack/react-query';
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
}

const askAgainMs = 60_000;

/** `null`: nobody is signed in. */
export function useSession(): UseQueryResult<SessionView | null> {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, refetchInterval: askAgainMs });
}

async function readSession(): Promise<SessionView | null> {
  try {
    const { now, sandbox, portal } = await get<SessionJson>('/api/session');
    return {
      sandbox,
      aheadMs: new Date(now).getTime() - Date.now(),
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
