import { useState } from 'react';
import type { ModelJson, QualityJson } from '../../api/policies.ts';
import { count, formatCount, formatDecimal } from '../../parts/count.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { formatShare } from '../../parts/percent.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { UseModelDialog } from './use-model-dialog.tsx';

/** Every version, the newest first, with its figures beside those of the model that it had to beat. */
export function ModelTable({
  name,
  models,
  active,
}: {
  readonly name: string;
  readonly models: readonly ModelJson[];
  readonly active: ModelJson | undefined;
}) {
  const [chosen, setChosen] = useState<ModelJson>();
  return (
    <>
      <DataTable
        name={`Models: ${name}`}
        rows={models}
        rowKey={({ id }) => id}
        columns={[
          { name: 'Version', cell: (model) => <Version model={model} /> },
          {
            name: 'Trained',
            cell: (model) => <Time at={model.created_at} form="short" />,
          },
          {
            name: 'Attempts',
            align: 'right',
            cell: ({ metrics }) => metrics.tries !== undefined && formatCount(metrics.tries),
          },
          ...qualities.map(({ name: head, of, form }) => ({
            name: head,
            align: 'right' as const,
            cell: (model: ModelJson) => <Beside model={model} of={of} form={form} />,
          })),
          {
            name: 'Plans',
            cell: (model) =>
              model.status === 'active' ? (
                'now'
              ) : (
                <button
                  type="button"
                  className="button"
                  aria-label={`Use this model: ${model.id}`}
                  onClick={() => setChosen(model)}
                >
                  Use
                </button>
              ),
          },
        ]}
      />
      <p className="muted">
        Figures are of tries held out from the training; in brackets the present model on the same
        tries. Log loss and calibration error: lower is better. AUC: the chance that a success was
        scored above a failure. Decision value: the share of successes if only the half of the tries
        that the model likes best were made.
      </p>
      <UseModelDialog
        name={name}
        model={chosen}
        active={active}
        onClose={() => setChosen(undefined)}
      />
    </>
  );
}

type Of = (quality: QualityJson) => number | undefined;
type Form = (value: number) => string;

const three: Form = (value) => formatDecimal(value, 3);
const qualities: readonly { readonly name: string; readonly of: Of; readonly form: Form }[] = [
  { name: 'Log loss', of: ({ log_loss: value }) => value, form: three },
  { name: 'AUC', of: ({ auc }) => auc, form: three },
  { name: 'Calibration error', of: ({ calibration_error: value }) => value, form: three },
  {
    name: 'Decision value',
    of: ({ decision_value: value }) => value,
    form: (value) => formatShare(value, 1),
  },
];

function beside(model: ModelJson, of: Of, form: Form): readonly [string, string] | undefined {
  const { held_out: own, present } = model.metrics;
  const value = own && of(own);
  if (value === undefined) return undefined;
  const other = present && of(present);
  return [form(value), other === undefined ? '' : `(${form(other)})`];
}

function Beside({
  model,
  of,
  form,
}: {
  readonly model: ModelJson;
  readonly of: Of;
  readonly form: Form;
}) {
  const words = beside(model, of, form);
  if (words === undefined) return null;
  return (
    <>
      {words[0]}
      <p className="muted">{words[1]}</p>
    </>
  );
}

/** Why it was promoted or not, and whether somebody thought otherwise. */
function verdictOf({ status, origin, metrics: { verdict, promoted } }: ModelJson): string {
  if (origin === 'shipped') return 'Came with the service.';
  if (verdict === undefined) return 'Trained before verdicts were kept.';
  const isByHand = promoted === false && status !== 'candidate';
  return isByHand ? `Made active by hand. At its training: ${verdict}` : verdict;
}

/** The version with what is said of it. */
function Version({ model }: { readonly model: ModelJson }) {
  const { id, status, drift } = model;
  return (
    <div className="version">
      <p>
        <code>{id}</code> <StatePill state={status} />
      </p>
      <p className="muted">{verdictOf(model)}</p>
      {drift !== undefined && drift.tries > 0 && (
        <p className="muted">
          Last 14 days: of {count(drift.tries, 'try', 'tries')} {formatCount(drift.successes)}{' '}
          succeeded, where {formatDecimal(drift.foretold, 1)} were predicted
          {drift.auc === undefined ? '' : `, AUC ${formatDecimal(drift.auc, 2)}`}.
        </p>
      )}
    </div>
  );
}
