import { present } from '../../domain/present.ts';
import type { AdminApi } from '../operator-api.ts';
import { changeMerchant } from './change-merchant.ts';
import type { CheckMerchantDeps } from './check-merchant.ts';
import { createMerchant } from './create-merchant.ts';
import { issueCredential, revokeCredential } from './credentials.ts';
import { connectPsp, disconnectPsp, type PspConnectionDeps, testPsp } from './psp-connections.ts';

export type AdminDeps = CheckMerchantDeps & PspConnectionDeps;

export function createAdminApi(deps: AdminDeps): AdminApi {
  return {
    createMerchant: (input) => createMerchant(deps, input),
    async changeMerchant(merchantId, change, standing) {
      return await changeMerchant(deps, { merchantId, change, ...present({ standing }) });
    },
    async connectPsp(merchantId, connection) {
      return await connectPsp(deps, { merchantId, connection });
    },
    async testPsp(merchantId, psp) {
      return await testPsp(deps, { merchantId, psp });
    },
    async disconnectPsp(merchantId, psp) {
      return await disconnectPsp(deps, { merchantId, psp });
    },
    async issueCredential(merchantId, wanted) {
      return await issueCredential(deps, { merchantId, wanted });
    },
    async rotateCredential(merchantId, wanted, overlapMs) {
      return await issueCredential(deps, { merchantId, wanted, overlapMs });
    },
    async revokeCredential(merchantId, credentialId) {
      return await revokeCredential(deps, { merchantId, credentialId });
    },
  };
}
