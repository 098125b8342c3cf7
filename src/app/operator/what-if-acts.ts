import type { Clock } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import type { OperatorReports } from '../../recovery/admin/ports.ts';
import type { AdminApi } from '../../recovery/operator-api.ts';
import type { PolicyApi } from '../../recovery/policy-api.ts';
import type { WhatIf, WhatIfStore } from '../../recovery/what-if/what-if-ports.ts';

/** What operators ask of a merchant's own history. Who asked for what stands in the audit log. */
export function createWhatIfActs(deps: {
  readonly clock: Clock;
  readonly random: Random;
  readonly whatIfs: Pick<WhatIfStore, 'request' | 'list'>;
  readonly reports: Pick<OperatorReports, 'noteAct'>;
  showMerchant: AdminApi['showMerchant'];
  requestWhatIf(whatIf: WhatIf): Promise<void>;
}): Pick<PolicyApi, 'listWhatIfs' | 'requestWhatIf'> {
  const { clock, whatIfs, reports } = deps;
  return {
    listWhatIfs: (merchantId) => whatIfs.list(merchantId),
    async requestWhatIf({ merchantId, policy, windowDays, maxTries }) {
      const merchant = await deps.showMerchant(merchantId);
      if (merchant === undefined) return undefined;
      const at = clock.now();
      const whatIf = await whatIfs.request({
        whatIfId: newId(deps.random, 'wif'),
        merchantId,
        policy,
        windowDays,
        maxTries,
        fixedDays: policy === 'fixed' ? merchant.policy.fixedDays : [],
        at,
      });
      const { whatIfId } = whatIf;
      const detail = { what_if_id: whatIfId, policy, window_days: windowDays, max_tries: maxTries };
      await reports.noteAct({ merchantId, audit: { action: 'what_if.requested', detail, at } });
      await deps.requestWhatIf(whatIf);
      return whatIf;
    },
  };
}
