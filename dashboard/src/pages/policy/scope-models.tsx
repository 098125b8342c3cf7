import type { TrainingJson } from '../../api/generated/models.ts';
import type { ModelJson } from '../../api/policies.ts';
import { Panel } from '../../parts/panel.tsx';
import { ModelTable } from './model-table.tsx';
import { NotTrusted } from './not-trusted.tsx';
import { TrainingState, TrainNow } from './training.tsx';

/** The models of one merchant, or of all: how the last training went, and every version. */
export function ScopeModels({
  merchantId,
  name,
  models,
  training,
}: {
  /** Absent: of all merchants without one of their own. */
  readonly merchantId: string | undefined;
  readonly name: string;
  readonly models: readonly ModelJson[];
  readonly training: TrainingJson | undefined;
}) {
  const active = models.find(({ status }) => status === 'active');
  return (
    <Panel
      title={name}
      aside={<TrainNow merchantId={merchantId} name={name} training={training} />}
    >
      <div className="batch">
        {active?.alert !== undefined && (
          <NotTrusted whose={name} reason={active.alert} since={active.alert_since} />
        )}
        {training !== undefined && <TrainingState training={training} />}
        {models.length === 0 ? (
          <p>
            {merchantId === undefined
              ? 'There are no versions yet: payments follow their simple schedules until the first training. A merchant on the learned policy has it trained every night.'
              : 'It has no model of its own: the model of all merchants plans for it. Train one if its payers differ from others’ and it has at least a few thousand tries.'}
          </p>
        ) : (
          <ModelTable name={name} models={models} active={active} />
        )}
      </div>
    </Panel>
  );
}
