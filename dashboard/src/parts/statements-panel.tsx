import type { StatedMonthJson } from '../api/generated/merchants.ts';
import { statementPath, useStatedMonths } from '../api/merchant-settings.ts';
import { apiPath } from '../api/request.ts';
import { count } from './count.ts';
import { DataTable } from './data-table.tsx';
import { ExportButton } from './export-button.tsx';
import { monthText } from './format-time.ts';
import { Panel } from './panel.tsx';
import { QueryView } from './query-view.tsx';

const formats = [
  ['pdf', 'PDF'],
  ['csv', 'CSV'],
] as const;

/** What each month came to, as files: plain links, which a browser keeps or opens by itself. */
export function StatementsPanel({ merchantId }: { readonly merchantId: string }) {
  return (
    <Panel
      title="Monthly statements"
      aside={
        <ExportButton
          list={apiPath('merchants', merchantId, 'monthly-statements')}
          filters={{}}
          of="monthly statements"
        />
      }
    >
      <QueryView query={useStatedMonths(merchantId)} what="the monthly statements">
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">
              None yet. Each day’s statement is made within seven hours of the day’s end, from the
              first day on which something happened.
            </p>
          ) : (
            <DataTable
              name="Monthly statements, the newest first"
              rows={items}
              rowKey={({ month }) => month}
              columns={[
                { name: 'Month, in UTC', cell: ({ month }) => monthText(month) },
                { name: 'Stated', cell: statedText },
                {
                  name: 'Files',
                  cell: ({ month }) => (
                    <span className="machine-controls">
                      {formats.map(([format, name]) => (
                        <a
                          key={format}
                          className="button"
                          href={statementPath(merchantId, month, format)}
                          download
                          aria-label={`${name} of ${monthText(month)}`}
                        >
                          {name}
                        </a>
                      ))}
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </QueryView>
    </Panel>
  );
}

function statedText({ days, complete }: StatedMonthJson): string {
  const words = count(days, 'day', 'days');
  return complete ? words : `${words} so far`;
}
