import { useMagicMethods } from '../../api/sandbox.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';

/** What each payment method id asks of the sandbox's processor. */
export function MagicMethods() {
  return (
    <Panel title="Magic payment methods">
      <p className="muted">
        Report a failed payment with one of these ids, and its charges end as described. Add a
        suffix after a double hyphen for another card of the same kind:{' '}
        <code>pm_sandbox_success--42</code>. Any other id is declined with 14.
      </p>
      <QueryView query={useMagicMethods()} what="the payment methods" rows={6}>
        {({ items }) => (
          <DataTable
            name="Ids and what they do"
            rows={items}
            rowKey={(row) => row.id}
            columns={[
              { name: 'Id', cell: (row) => <code className="breaks">{row.id}</code> },
              { name: 'What happens', cell: (row) => row.meaning },
              {
                name: 'Example',
                cell: (row) => (
                  <ul>
                    {row.examples.map((example) => (
                      <li key={example}>
                        <code className="breaks">{example}</code>
                      </li>
                    ))}
                  </ul>
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </Panel>
  );
}
