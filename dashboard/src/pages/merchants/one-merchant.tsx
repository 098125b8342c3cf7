import { useMerchantEndpoints } from '../../api/endpoints.ts';
import {
  useCredentials,
  useMerchant,
  usePspAccounts,
  useStatedMonths,
} from '../../api/merchant-settings.ts';
import { useCustomerMessages, useMessageReport, useMessageSettings } from '../../api/messages.ts';
import { Loading } from '../../parts/loading.tsx';
import { Moved } from '../../parts/moved.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { StatementsPanel } from '../../parts/statements-panel.tsx';
import type { Params } from '../../state/page.ts';
import { CredentialsPanel } from './credentials-panel.tsx';
import { EndpointsPanel } from './endpoints-panel.tsx';
import { FurtherEndpoints } from './further-endpoints.tsx';
import { MerchantHead } from './merchant-head.tsx';
import { MessagesPanel } from './messages/messages-panel.tsx';
import { shownMessages } from './messages/shown-messages.ts';
import { PolicyPanel } from './policy/policy-panel.tsx';
import { PortalPanel } from './portal-panel.tsx';
import { PspsPanel } from './psps-panel.tsx';

const rows = 10;

/**
 * One merchant's settings: where to ask and report, whom to charge, how to retry, who may call; and its months as
 * files. It shows once all of it is there: a panel that grew would push the next one's buttons from under the pointer.
 */
export function OneMerchant({ params }: Params) {
  const { merchantId = '' } = params;
  const ofPanels = [
    useMerchantEndpoints(merchantId),
    usePspAccounts(merchantId),
    useStatedMonths(merchantId),
    useCredentials(merchantId),
    useMessageSettings(merchantId),
    useMessageReport(merchantId),
    useCustomerMessages(merchantId, shownMessages),
  ];
  // One that failed is asked for again by its panel, and is pending until then: that is no reason to take the panel away.
  const isWhole = ofPanels.every(({ isFetched }) => isFetched);
  return (
    <QueryView query={useMerchant(merchantId)} what="the merchant" rows={rows}>
      {(merchant) =>
        isWhole ? (
          <>
            <MerchantHead merchant={merchant} />
            <Moved merchantId={merchant.id} />
            <EndpointsPanel merchant={merchant} />
            <FurtherEndpoints merchantId={merchant.id} />
            <PspsPanel merchant={merchant} />
            <PolicyPanel merchant={merchant} />
            <MessagesPanel merchantId={merchant.id} />
            <StatementsPanel merchantId={merchant.id} />
            <CredentialsPanel merchantId={merchant.id} />
            <PortalPanel merchantId={merchant.id} />
          </>
        ) : (
          <Loading what="the merchant" rows={rows} />
        )
      }
    </QueryView>
  );
}
