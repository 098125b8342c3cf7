import type { DisputeOutcomesJson } from '../../api/generated/dispute-reports.ts';
import { formatCount } from '../../parts/count.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { networkName } from '../../parts/network-name.ts';
import { isEnough, winText } from './win-text.ts';

type Outcomes = DisputeOutcomesJson['reasons'][number];
type OutcomeName = Exclude<keyof Outcomes, 'network' | `reason_${string}` | `win_rate${string}`>;

/** One line for each network, or each network and reason; every column sorts. */
export function OutcomeTable({
  name,
  rows,
  hasReason,
  least,
}: {
  readonly name: string;
  readonly rows: readonly Outcomes[];
  readonly hasReason: boolean;
  /** Of fewer decided ones no share is stated. */
  readonly least: number;
}) {
  return (
    <DataTable
      name={name}
      columns={hasReason ? [network, reason, ...countsOf(least)] : [network, ...countsOf(least)]}
      rows={rows}
      rowKey={(row) => `${row.network} ${row.reason_family} ${row.reason_code}`}
    />
  );
}

const network: Column<Outcomes> = { name: 'Network', sort: networkText, cell: networkText };
const reason: Column<Outcomes> = { name: 'Reason', sort: reasonText, cell: reasonText };

function countsOf(least: number): readonly Column<Outcomes>[] {
  return [
    countColumn('All', 'disputes'),
    {
      name: 'Won of decided',
      align: 'right',
      // Those too few for a share stand behind all that have one.
      sort: (row) => (isEnough(row, least) ? (row.win_rate ?? -1) : -1),
      cell: (row) => <Won row={row} least={least} />,
    },
    countColumn('Won', 'won'),
    countColumn('Lost', 'lost'),
    countColumn('Open', 'open'),
    countColumn('Accepted', 'accepted'),
    countColumn('Expired', 'expired'),
    countColumn('Withdrawn', 'withdrawn'),
  ];
}

function countColumn(name: string, of: OutcomeName): Column<Outcomes> {
  return { name, align: 'right', sort: (row) => row[of], cell: (row) => formatCount(row[of]) };
}

function networkText({ network: of }: Outcomes): string {
  return of === undefined ? 'not known' : networkName(of);
}

/** `10.4, fraud`: the network's code, and what it is about. */
function reasonText({ reason_code: code, reason_family: family }: Outcomes): string {
  return [code, family].filter((part) => part !== undefined).join(', ') || 'not stated';
}

/** Of a narrow column the n stands below its share. */
function Won({ row, least }: { readonly row: Outcomes; readonly least: number }) {
  const [share, ...ofAll] = winText(row, least).split(/(?= of )/);
  return (
    <span className={isEnough(row, least) ? 'wraps' : 'wraps muted'}>
      <span className="nowrap">{share}</span>
      {ofAll}
    </span>
  );
}
