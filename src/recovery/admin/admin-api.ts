import type { AdminApi } from '../operator-api.ts';
import { canBeIds } from './can-be-ids.ts';
import { changeMerchant } from './change-merchant.ts';
import type { CheckMerchantDeps } from './check-merchant.ts';
import { createMerchant } from './create-merchant.ts';
import { issueCredential, revokeCredential } from './credentials.ts';
import { connectPsp, disconnectPsp, type PspConnectionDeps, testPsp } from './psp-connections.ts';
import { type ReplayDeps, replayExhausted } from './replay-exhausted.ts';

export type AdminDeps = CheckMerchantDeps & PspConnectionDeps & ReplayDeps;

export function createAdminApi(deps: AdminDeps): AdminApi {
  return {
    createMerchant: (input) => createMerchant(deps, input),
    async changeMerchant(merchantId, change) {
      return canBeIds(merchantId) ? await changeMerchant(deps, { merchantId, change }) : undefined;
    },
    async connectPsp(merchantId, connection) {
      return canBeIds(merchantId) ? await connectPsp(deps, { merchantId, connection }) : undefined;
    },
    async testPsp(merchantId, psp) {
      return canBeIds(merchantId) ? await testPsp(deps, { merchantId, psp }) : undefined;
    },
    async disconnectPsp(merchantId, psp) {
      return canBeIds(merchantId) ? await disconnectPsp(deps, { merchantId, psp }) : undefined;
    },
    async issueCredential(merchantId, kind) {
      return canBeIds(merchantId) ? await issueCredential(deps, { merchantId, kind }) : undefined;
    },
    async rotateCredential(merchantId, kind, overlapMs) {
      if (!canBeIds(merchantId)) return undefined;
      return await issueCredential(deps, { merchantId, kind, overlapMs });
    },
    async revokeCredential(merchantId, credentialId) {
      if (!canBeIds(merchantId, credentialId)) return false;
      return await revokeCredential(deps, { merchantId, credentialId });
    },
    async replayExhausted(input) {
      if (!canBeIds(input.merchantId)) return { queued: 0, begunAt: deps.clock.now() };
      return await replayExhausted(deps, input);
    },
  };
}
