import type { EndpointHealthJson } from '../../api/generated/deliveries.ts';
import { Choice } from '../../parts/choice.tsx';
import { useViewState } from '../../state/view-state.ts';
import { endpointName } from './endpoint-name.ts';

/** Which of a merchant's endpoints is shown. */
export function EndpointChoice({
  endpoints,
}: {
  readonly endpoints: readonly EndpointHealthJson[];
}) {
  const view = useViewState();
  return (
    <div className="filters">
      <Choice
        label="Endpoint"
        value={view.param('endpoint') ?? 'primary'}
        options={endpoints.map((endpoint) => ({
          value: endpoint.endpoint_id,
          label: endpointName(endpoint),
        }))}
        onChange={(id) =>
          view.change({ endpoint: id === 'primary' ? undefined : id, cursor: undefined })
        }
      />
    </div>
  );
}
