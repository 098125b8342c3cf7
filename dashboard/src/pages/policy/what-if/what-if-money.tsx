import type { WhatIfMoneyJson } from '../../../api/generated/models.ts';
import type { FigureJson } from '../../../api/generated/overview.ts';
import { Amount } from '../../../parts/amount.tsx';
import { adviceOf } from '../../../parts/claim-text.ts';
import { count } from '../../../parts/count.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { formatAmount } from '../../../parts/format-amount.ts';
import { signedText } from '../../../parts/number-text.ts';

/** What the terms would have recovered in each currency, beside what was, and the difference. */
export function WhatIfMoney({ money }: { readonly money: readonly WhatIfMoneyJson[] }) {
  if (money.length === 0) return null;
  const refused = money.filter(({ claimed }) => !claimed);
  return (
    <section className="batch" aria-label="In money">
      <h3>In money</h3>
      <DataTable
        name="Recovered money by currency"
        rows={money}
        rowKey={({ currency }) => currency}
        columns={[
          { name: 'Currency', cell: ({ currency }) => currency },
          {
            name: 'Failed',
            align: 'right',
            cell: ({ failed, payments, currency }) => (
              <>
                <Amount value={failed} currency={currency} />
                <div className="muted">{count(payments, 'payment', 'payments')}</div>
              </>
            ),
          },
          {
            name: 'Would have recovered',
            align: 'right',
            cell: ({ recovered, currency }) => <Estimated figure={recovered} currency={currency} />,
          },
          {
            name: 'What was done',
            align: 'right',
            cell: ({ logged, currency }) => <Estimated figure={logged} currency={currency} />,
          },
          {
            name: 'Difference',
            align: 'right',
            cell: ({ gain, currency }) => <Estimated figure={gain} currency={currency} isChange />,
          },
        ]}
      />
      {refused.map(({ currency, message, reason }) => (
        <p key={currency} className="muted">
          {currency}: {message} {adviceOf(reason)}
        </p>
      ))}
    </section>
  );
}

/** An amount over its interval. */
function Estimated({
  figure,
  currency,
  isChange = false,
}: {
  readonly figure: FigureJson | undefined;
  readonly currency: string;
  /** It has a sign, whichever it is. */
  readonly isChange?: boolean;
}) {
  if (figure === undefined) return 'not claimed';
  const { value, low = value, high = value } = figure;
  const money = (each: number): string => formatAmount(each, currency);
  return (
    <>
      <span className="amount">{isChange ? signedText(value, money) : money(value)}</span>
      <div className="muted">
        [{money(low)}, {money(high)}]
      </div>
    </>
  );
}
