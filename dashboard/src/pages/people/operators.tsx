import { useState } from 'react';
import type { OperatorJson } from '../../api/generated/operators.ts';
import { useMerchants } from '../../api/merchants.ts';
import { useOperators } from '../../api/people.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Time } from '../../parts/time.tsx';
import { AddOperator } from './add-operator.tsx';
import { type Asked, OperatorDialogs } from './operator-dialogs.tsx';
import { Views } from './views.tsx';

/** Who may operate Recoup, and what each may do. */
export function Operators() {
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [issued, setIssued] = useState<readonly (readonly [string, string])[]>([]);
  const names = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  return (
    <>
      <div className="page-head">
        <h1>Operators</h1>
        <Views current="/operators" />
        <div className="filters">
          <ExportButton list="/api/operators" filters={{}} />
          <button type="button" className="button" onClick={() => setAdding(true)}>
            Add an operator
          </button>
        </div>
      </div>
      {issued.length > 0 && <ShownOnce items={issued} />}
      <QueryView query={useOperators()} what="the operators" rows={5}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Everybody shares the one operator token">
              <p>
                Add the people who work here: each signs in as themselves, may do what their role
                allows, and appears in the audit log. Keep the shared token for emergencies.
              </p>
            </Empty>
          ) : (
            <DataTable
              name="Operators"
              columns={columnsOf(names, setAsked)}
              rows={items}
              rowKey={(row) => row.id}
            />
          )
        }
      </QueryView>
      <AddOperator open={isAdding} onClose={() => setAdding(false)} />
      <OperatorDialogs
        asked={asked}
        onClose={() => setAsked(undefined)}
        onIssued={(name, text) => setIssued([[`Token of ${name}`, text]])}
      />
    </>
  );
}

function columnsOf(
  names: ReadonlyMap<string, string>,
  ask: (asked: Asked) => void,
): readonly Column<OperatorJson>[] {
  return [
    {
      name: 'Name',
      cell: (row) => (
        <>
          {row.name}
          {row.email !== undefined && <div className="muted breaks">{row.email}</div>}
        </>
      ),
    },
    { name: 'Role', cell: (row) => row.role },
    {
      name: 'Merchants',
      cell: ({ merchants }) => merchants?.map((id) => names.get(id) ?? id).join(', ') ?? 'all',
    },
    { name: 'Added', cell: (row) => <Time at={row.created_at} byMachine /> },
    {
      name: 'Action',
      cell: (row) =>
        row.removed_at === undefined ? (
          <div className="row-actions">
            {(['token', 'role', 'remove'] as const).map((what) => (
              <button
                key={what}
                type="button"
                className="button"
                aria-label={`${words[what]}: ${row.name}`}
                onClick={() => ask({ what, operator: row })}
              >
                {words[what]}
              </button>
            ))}
          </div>
        ) : (
          <span className="muted">removed</span>
        ),
    },
  ];
}

const words = { token: 'Token', role: 'Role', remove: 'Remove' };
