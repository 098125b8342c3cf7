import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import type { CreatePortalLinkBody, PortalLinkJson } from './generated/portal.ts';
import { apiPath, send } from './request.ts';

export function useCreatePortalLink(
  merchantId: string,
): UseMutationResult<PortalLinkJson, Error, CreatePortalLinkBody> {
  return useMutation({
    mutationFn: (body) => send('POST', apiPath('merchants', merchantId, 'portal-links'), body),
  });
}

export function useRevokePortalLinks(
  merchantId: string,
): UseMutationResult<{ readonly revoked: number }, Error, void> {
  return useMutation({
    mutationFn: () => send('DELETE', apiPath('merchants', merchantId, 'portal-links')),
  });
}
