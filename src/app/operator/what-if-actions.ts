import type { Clock } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type { AdminApi } from '../../recovery/operator-api.ts';
import type { PolicyApi } from '../../recovery/policy-api.ts';
import type { WhatIf, WhatIfStore } from '../../recovery/what-if/what-if-ports.ts';

/** What operators ask of a merchant's own history. Who asked for what stands in the audit log. */
export function createWhatIfActions(deps: {
  readonly clock: Clock;
  readonly random: Random;
  readonly whatIfs: Pick<WhatIfStore, 'request' | 'list'>;
  showMerchant: AdminApi['showMerchant'];
  requestWhatIf(whatIf: WhatIf): Promise<void>;
}): Pick<PolicyApi, 'listWhatIfs' | 'requestWhatIf'> {
  const { clock, whatIfs } = deps;
  return {
    listWhatIfs: (merchantId) => whatIfs.list(merchantId),
    async requestWhatIf({ merchantId, policy, windowDays, maxAttempts }) {
      const merchant = await deps.showMerchant(merchantId);
      if (merchant === undefined) return undefined;
      const at = clock.now();
      const whatIf = await whatIfs.request({
        whatIfId: newId(deps.random, 'wif'),
        merchantId,
        policy,
        windowDays,
        maxAttempts,
        fixedDays: policy === 'fixed' ? merchant.policy.fixedDays : [],
        at,
      });
      await deps.requestWhatIf(whatIf);
      return whatIf;
    },
  };
}
