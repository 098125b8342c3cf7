import { AppError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { OperatorApi } from '../operator-api.ts';
import { changeMerchant } from './change-merchant.ts';
import type { CheckMerchantDeps } from './check-merchant.ts';
import { createMerchant } from './create-merchant.ts';
import { type CredentialDeps, issueCredential, revokeCredential } from './credentials.ts';
import type { OperatorReports } from './ports.ts';

/** The operator's part of the work that needs no engine: merchants, credentials and reports. */
export type AdminApi = Omit<
  OperatorApi,
  'replayDelivery' | 'showPayment' | 'retryPayment' | 'stopPayment'
>;

export type AdminDeps = CheckMerchantDeps & CredentialDeps & { readonly reports: OperatorReports };

export function createAdminApi(deps: AdminDeps): AdminApi {
  const { store, reports } = deps;
  return {
    createMerchant: (input) => createMerchant(deps, input),
    showMerchant: (merchantId) => store.findMerchant(merchantId),
    listMerchants: async (input) => await store.listMerchants(withPageLimit(input)),
    changeMerchant: (merchantId, change) => changeMerchant(deps, { merchantId, change }),
    listCredentials: (merchantId) => store.listCredentials(merchantId),
    issueCredential: (merchantId, kind) => issueCredential(deps, { merchantId, kind }),
    rotateCredential: (merchantId, kind, overlapMs) =>
      issueCredential(deps, { merchantId, kind, overlapMs }),
    revokeCredential: (merchantId, credentialId) =>
      revokeCredential(deps, { merchantId, credentialId }),
    listDeliveries: async (input) => await reports.listDeliveries(withPageLimit(input)),
    listPayments: async (input) => await reports.listPayments(withPageLimit(input)),
    replayExhausted: (input) => reports.replayExhausted({ ...input, at: deps.clock.now() }),
    checkInvariants: () => reports.checkInvariants(),
  };
}

function withPageLimit<Input extends { readonly limit: number }>(input: Input): Input {
  const { limit } = input;
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.pageMost) return input;
  throw new AppError('invalid_request', `limit must be 1 to ${limits.pageMost}.`);
}
