import { AppError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { AdminApi } from '../operator-api.ts';
import { canBeIds } from './can-be-ids.ts';
import { changeMerchant } from './change-merchant.ts';
import type { CheckMerchantDeps } from './check-merchant.ts';
import { createMerchant } from './create-merchant.ts';
import { issueCredential, revokeCredential } from './credentials.ts';
import { measureUplift } from './measure-uplift.ts';
import type { OperatorReports } from './ports.ts';
import { connectPsp, disconnectPsp, type PspConnectionDeps, testPsp } from './psp-connections.ts';
import { type ReplayDeps, replayExhausted } from './replay-exhausted.ts';

export type AdminDeps = CheckMerchantDeps &
  PspConnectionDeps &
  ReplayDeps & { readonly reports: OperatorReports };

export function createAdminApi(deps: AdminDeps): AdminApi {
  const { store, reports } = deps;
  return {
    createMerchant: (input) => createMerchant(deps, input),
    async showMerchant(merchantId) {
      return canBeIds(merchantId) ? await store.findMerchant(merchantId) : undefined;
    },
    listMerchants: async (input) => await store.listMerchants(withPageLimit(input)),
    async changeMerchant(merchantId, change) {
      return canBeIds(merchantId) ? await changeMerchant(deps, { merchantId, change }) : undefined;
    },
    ...createPspApi(deps),
    async listCredentials(merchantId) {
      return canBeIds(merchantId) ? await store.listCredentials(merchantId) : undefined;
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
    async listDeliveries(input) {
      if (!canBeIds(input.merchantId, input.invoiceId)) return { items: [] };
      return await reports.listDeliveries(withPageLimit(input));
    },
    async listPayments(input) {
      if (!canBeIds(input.merchantId, input.search)) return { items: [] };
      return await reports.listPayments(withPageLimit(input));
    },
    async replayExhausted(input) {
      if (!canBeIds(input.merchantId)) return { queued: 0, begunAt: deps.clock.now() };
      return await replayExhausted(deps, input);
    },
    async showUplift(input) {
      return measureUplift(canBeIds(input.merchantId) ? await reports.sumUplift(input) : []);
    },
  };
}

type PspApi = Pick<
  AdminApi,
  'listPsps' | 'connectPsp' | 'testPsp' | 'disconnectPsp' | 'listPspAccounts'
>;

function createPspApi(deps: AdminDeps): PspApi {
  const { store, reports } = deps;
  return {
    listPsps: async () => deps.supportedPsps,
    async connectPsp(merchantId, connection) {
      return canBeIds(merchantId) ? await connectPsp(deps, { merchantId, connection }) : undefined;
    },
    async testPsp(merchantId, psp) {
      return canBeIds(merchantId) ? await testPsp(deps, { merchantId, psp }) : undefined;
    },
    async disconnectPsp(merchantId, psp) {
      return canBeIds(merchantId) ? await disconnectPsp(deps, { merchantId, psp }) : undefined;
    },
    async listPspAccounts(merchantId) {
      if (!canBeIds(merchantId) || (await store.findMerchant(merchantId)) === undefined)
        return undefined;
      return await reports.listPspAccounts(merchantId);
    },
  };
}

function withPageLimit<Input extends { readonly limit: number }>(input: Input): Input {
  const { limit } = input;
  if (Number.isInteger(limit) && limit >= 1 && limit <= limits.maxPageSize) return input;
  throw new AppError('invalid_request', `limit must be 1 to ${limits.maxPageSize}.`);
}
