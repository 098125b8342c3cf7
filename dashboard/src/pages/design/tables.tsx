import { DataTable } from '../../parts/data-table.tsx';
import { HeatMap } from '../../parts/heat-map.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ShareBars } from '../../parts/share-bars.tsx';
import { StatePill } from '../../parts/state-pill.tsx';

const states = ['scheduled', 'recovered', 'stopped', 'exhausted'];
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `in_${(n + 1).toString().padStart(4, '0')}`,
    amount: 10 + ((n * 37) % 90),
    state: states[n % states.length] ?? '',
  }));
type Row = ReturnType<typeof rowsOf>[number];
const [short, long] = [rowsOf(4), rowsOf(200)];

/** Tables that are short, long and coloured. */
export function Tables() {
  return (
    <>
      <div className="halves">
        <Panel title="A short table">
          <Rows name="A short table" rows={short} />
        </Panel>
        <Panel title="A long table">
          <Rows name="A long table" rows={long} />
        </Panel>
      </div>
      <div className="halves">
        <Panel title="A heat map">
          <HeatMap
            name="A heat map"
            corner="Day"
            rows={['Mon', 'Tue']}
            columns={['00', '06', '12', '18']}
            cell={(row, column) => ({
              tries: 40 * column,
              successes: 8 * column + 4 * row * column,
            })}
          />
        </Panel>
        <Panel title="Shares">
          <ShareBars
            label="Shares"
            head="Code"
            rows={[
              { name: '51', tries: 320, successes: 96 },
              { name: '05', tries: 120, successes: 12 },
            ]}
          />
        </Panel>
      </div>
    </>
  );
}

function Rows({ name, rows }: { readonly name: string; readonly rows: readonly Row[] }) {
  return (
    <DataTable
      name={name}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { name: 'Invoice', sort: ({ id }) => id, cell: ({ id }) => id },
        {
          name: 'Amount',
          align: 'right',
          sort: ({ amount }) => amount,
          cell: ({ amount }) => amount,
        },
        { name: 'State', cell: ({ state }) => <StatePill state={state} /> },
        { name: 'Next try', cell: ({ state }) => state === 'scheduled' && 'in 2 d' },
      ]}
    />
  );
}
