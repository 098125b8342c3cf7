import type { WhatIfJson } from '../../../api/generated/models.ts';
import { useMerchant } from '../../../api/merchant-settings.ts';
import { useMerchants } from '../../../api/merchants.ts';
import { useWhatIfs } from '../../../api/policies.ts';
import { Empty } from '../../../parts/empty.tsx';
import { ExportButton } from '../../../parts/export-button.tsx';
import { QueryView } from '../../../parts/query-view.tsx';
import { useViewState } from '../../../state/view-state.ts';
import { PolicyHead } from '../policy-head.tsx';
import { WhatIfForm } from './what-if-form.tsx';
import { WhatIfResult } from './what-if-result.tsx';
import { WhatIfTable } from './what-if-table.tsx';

/** What another window, budget or policy would have brought on the merchant's own charges. */
export function WhatIf() {
  const view = useViewState();
  const merchants = useMerchants().data ?? [];
  // Of one merchant there is nothing to choose.
  const [only, ...others] = merchants;
  const merchantId = view.merchantId ?? (others.length === 0 ? only?.id : undefined);
  const name = merchants.find(({ id }) => id === merchantId)?.name;
  return (
    <>
      <PolicyHead
        path="/policy/what-if"
        title="Backtest"
        actions={
          merchantId !== undefined && (
            <ExportButton list="/api/what-ifs" filters={{ merchant_id: merchantId }} />
          )
        }
      >
        <span className="muted">
          another window, budget or policy, on past charges{name === undefined ? '' : ` of ${name}`}
        </span>
      </PolicyHead>
      {merchantId === undefined ? (
        <Empty title="Choose a merchant above.">
          <p>
            Each merchant’s own charges of the last 400 days are replayed under the terms that you
            choose. Nothing is charged and nothing is changed.
          </p>
        </Empty>
      ) : (
        <OfMerchant key={merchantId} merchantId={merchantId} />
      )}
    </>
  );
}

function OfMerchant({ merchantId }: { readonly merchantId: string }) {
  const merchant = useMerchant(merchantId);
  const whatIfs = useWhatIfs(merchantId);
  const view = useViewState();
  return (
    <>
      <QueryView query={merchant} what="the merchant" rows={3}>
        {({ policy }) => <WhatIfForm merchantId={merchantId} policy={policy} />}
      </QueryView>
      <QueryView query={whatIfs} what="the what-ifs">
        {({ what_ifs: all }) => {
          const shown = chosenOf(all, view.param('shown'));
          if (shown === undefined) {
            return (
              <Empty title="Nothing was tested yet.">
                <p>
                  Choose a policy, a window and a number of tries, and see what they would have
                  recovered: with n and interval, and no claim where the history has too little
                  data.
                </p>
              </Empty>
            );
          }
          return (
            <>
              <WhatIfResult whatIf={shown} />
              {all.length > 1 && <WhatIfTable whatIfs={all} shown={shown} />}
            </>
          );
        }}
      </QueryView>
    </>
  );
}

/** The one that the address names, else the one that was asked for last. */
function chosenOf(all: readonly WhatIfJson[], id: string | undefined): WhatIfJson | undefined {
  return all.find((each) => each.id === id) ?? all[0];
}
