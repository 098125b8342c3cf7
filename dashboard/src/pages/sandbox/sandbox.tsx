import { useViewState } from '../../state/view-state.ts';
import { Batch } from './batch.tsx';
import { BatchForm } from './batch-form.tsx';
import { MagicMethods } from './magic-methods.tsx';
import { TimeMachine } from './time-machine.tsx';

/** Time that can be moved, payments that fail on request, and cards that do what their ids say. */
export function Sandbox() {
  const batch = useViewState().param('batch');
  return (
    <>
      <div className="page-head">
        <h1>Sandbox</h1>
        <div className="actions">
          <BatchForm />
        </div>
      </div>
      <TimeMachine />
      <Batch batch={batch} />
      <MagicMethods />
    </>
  );
}
