import type { Clock } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import { daysOf } from '../../domain/merchant.ts';
import type { Random } from '../../domain/random.ts';
import type { MerchantView } from '../../recovery/operator-api.ts';
import type { PolicyApi } from '../../recovery/policy-api.ts';
import type { WhatIf, WhatIfStore } from '../../recovery/what-if/what-if-ports.ts';

/** What operators ask of a merchant's own history. Who asked for what stands in the audit log. */
export function createWhatIfActions(deps: {
  readonly clock: Clock;
  readonly random: Random;
  readonly whatIfs: Pick<WhatIfStore, 'request'>;
  findMerchant(merchantId: string): Promise<MerchantView | undefined>;
  requestWhatIf(whatIf: WhatIf): Promise<void>;
}): Pick<PolicyApi, 'requestWhatIf'> {
  const { clock, whatIfs } = deps;
  return {
    async requestWhatIf({ merchantId, policy, windowDays, maxAttempts }) {
      const merchant = await deps.findMerchant(merchantId);
      if (merchant === undefined) return undefined;
      const at = clock.now();
      const whatIf = await whatIfs.request({
        whatIfId: newId(deps.random, 'wif'),
        merchantId,
        policy,
        windowDays,
        maxAttempts,
        fixedDays: policy === 'fixed' ? daysOf(merchant.policy) : [],
        at,
      });
      await deps.requestWhatIf(whatIf);
      return whatIf;
    },
  };
}
