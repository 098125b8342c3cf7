import type { ExperimentArmJson, ExperimentJson } from '../../api/generated/models.ts';
import { count, formatCount } from '../../parts/count.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { figureText } from '../../parts/figure-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { formatShare } from '../../parts/percent.ts';
import { Time } from '../../parts/time.tsx';
import { useViewState } from '../../state/view-state.ts';

/** How each merchant's traffic is split, and what each part brought. */
export function Experiments({ experiments }: { readonly experiments: readonly ExperimentJson[] }) {
  const { merchantId } = useViewState();
  if (experiments.length > 0) {
    return experiments.map((each) => <Experiment key={each.merchant_id} experiment={each} />);
  }
  return (
    <Empty
      title={
        merchantId === undefined
          ? 'No merchant is on the learned policy.'
          : 'This merchant is not on the learned policy.'
      }
    >
      <p>
        On it, payments begin on an even spread of their tries. Once a model is trained it plans a
        tenth of them, then a half and nine tenths, as long as its payments are recovered at least
        as often. Change the retries of a merchant on its page under Merchants.
      </p>
    </Empty>
  );
}

function Experiment({ experiment }: { readonly experiment: ExperimentJson }) {
  const { merchant_name: name, arms } = experiment;
  return (
    <Panel title={`Experiment of ${name}`}>
      <div className="batch">
        <DataTable
          name={`Arms of ${name}`}
          rows={arms}
          rowKey={({ arm }) => arm}
          columns={[
            { name: 'Arm', cell: (row) => <Arm row={row} days={experiment.fixed_days} /> },
            { name: 'Share', align: 'right', cell: shareText },
            { name: 'Recovered', align: 'right', cell: recoveredText },
            { name: 'Tries that succeeded', align: 'right', cell: triesText },
          ]}
        />
        <Segments experiment={experiment} />
        <Facts
          items={[
            ['Planned by the model', plannedText(experiment)],
            ['All others', `on days ${experiment.fixed_days.join(', ')} after the failure`],
            ['Runs since', <Time key="since" at={experiment.since} form="both" />],
            ['Figures from', <Time key="from" at={experiment.figures_from} form="short" />],
            ['Model', modelText(experiment)],
            [
              'Budget',
              `${count(experiment.max_attempts, 'try', 'tries')} within ${count(experiment.window_days, 'day', 'days')}`,
            ],
          ]}
        />
        <p className="muted">How payments are assigned: {experiment.assignment}</p>
      </div>
    </Panel>
  );
}

/** Products that have shown to need another share than the merchant's; nothing where none has. */
function Segments({
  experiment: { merchant_name: name, segments },
}: {
  readonly experiment: ExperimentJson;
}) {
  if (segments.length === 0) return null;
  return (
    <DataTable
      name={`Products of ${name} with a share of their own`}
      rows={segments}
      rowKey={({ segment }) => segment}
      columns={[
        { name: 'Product', cell: ({ segment }) => <code>{segment}</code> },
        {
          name: 'Planned by the model',
          align: 'right',
          cell: (row) => formatShare(row.learned_share),
        },
        { name: 'Why', cell: (row) => row.learned_reason },
        { name: 'Since', cell: (row) => <Time at={row.since} form="short" /> },
      ]}
    />
  );
}

function plannedText({ learned_share: share, learned_reason: reason }: ExperimentJson): string {
  return `${formatShare(share, 1)} of the payments. ${reason}`;
}

function modelText({ model_id: id, own_model: isOwn }: ExperimentJson): string {
  return `${id}, ${isOwn ? 'its own' : 'of all merchants'}`;
}

function Arm({ row, days }: { readonly row: ExperimentArmJson; readonly days: readonly number[] }) {
  const { name, words } = armLabels[row.arm] ?? { name: row.arm, words: () => '' };
  return (
    <>
      <strong>{name}</strong>
      <p className="muted">{words(days)}</p>
    </>
  );
}

const armLabels: Readonly<
  Record<string, { readonly name: string; words(days: readonly number[]): string }>
> = {
  learned: { name: 'Learned', words: () => 'times that the model chose' },
  explore: { name: 'Exploration', words: () => 'times taken by chance, to learn from' },
  holdout: { name: 'Holdout', words: (days) => `on days ${days.join(', ')}, to compare with` },
  fallback: { name: 'Fallback', words: () => 'on the same days while no model was trusted' },
};

function shareText({ arm, share }: ExperimentArmJson): string {
  if (share === undefined) return '';
  const percent = formatShare(share, 1);
  return arm === 'holdout' ? `${percent} of payments` : `${percent} of the others’ decisions`;
}

function recoveredText({ arm, payments, recovered_rate: rate }: ExperimentArmJson): string {
  if (arm === 'explore') return 'counted with its payments’ arm';
  return payments === 0 ? 'none yet' : `${figureText(rate, 'share')}, n = ${formatCount(payments)}`;
}

function triesText({ tries, success_rate: rate }: ExperimentArmJson): string {
  return tries === 0 ? 'none yet' : `${figureText(rate, 'share')}, n = ${formatCount(tries)}`;
}
