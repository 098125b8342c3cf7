import { useState } from 'react';
import type { CountDeliveriesQuery } from '../../api/generated/deliveries.ts';
import type { EventTypeJson } from '../../api/generated/webhook-endpoints.ts';
import { useBeginReplay, useCountToReplay } from '../../api/webhooks.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { count } from '../../parts/count.ts';
import { eventTypes } from '../../parts/event-types.ts';
import { useNow } from '../../state/service-time.tsx';
import { useViewState } from '../../state/view-state.ts';

const weekMs = 7 * 86_400_000;

const statuses = {
  exhausted: 'given up',
  pending: 'waiting to be sent again',
  delivered: 'delivered',
  any: 'any, delivered ones too',
} as const;
interface Chosen {
  readonly from: string;
  readonly until: string;
  readonly status: keyof typeof statuses;
  readonly type: EventTypeJson | '';
}

interface Props {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks which events are to be sent again, and says how many those are. */
export function ReplayDialog({ merchantId, endpointId, open, onClose }: Props) {
  const now = useNow();
  const [chosen, setChosen] = useState<Chosen>(() => ({
    from: localInput(new Date(now.getTime() - weekMs)),
    until: '',
    status: 'exhausted',
    type: '',
  }));
  const change = (part: Partial<Chosen>): void => setChosen({ ...chosen, ...part });
  const of = endpointId === 'primary' ? {} : { endpoint_id: endpointId };
  const asked = scopeOf(chosen);
  const scope = asked && { ...asked, ...of };
  const view = useViewState();
  const counted = useCountToReplay(merchantId, open ? scope : undefined);
  const begin = useBeginReplay(merchantId);
  const n = scope === undefined ? 0 : counted.data?.count;
  return (
    <ConfirmDialog
      open={open}
      title="Redeliver many events?"
      effect={effectOf(n)}
      action="Redeliver"
      isBusy={begin.isPending}
      isReady={n !== undefined && n > 0}
      error={begin.error ?? counted.error}
      onClose={onClose}
      onConfirm={() =>
        scope !== undefined &&
        begin.mutate(scope, {
          onSuccess: ({ id }) => {
            onClose();
            view.change({ replay: id });
          },
        })
      }
    >
      <Choice
        label="State"
        form="above"
        value={chosen.status}
        options={Object.entries(statuses).map(([value, label]) => ({ value, label }))}
        onChange={(status) => change({ status: status as Chosen['status'] })}
      />
      <Choice
        label="Type"
        form="above"
        value={chosen.type}
        options={[
          { value: '', label: 'Any' },
          ...eventTypes.map((type) => ({ value: type, label: type })),
        ]}
        onChange={(type) => change({ type: type as Chosen['type'] })}
      />
      <label>
        Recorded from (your time)
        <input
          type="datetime-local"
          value={chosen.from}
          required
          onChange={({ target }) => change({ from: target.value })}
        />
      </label>
      <label>
        Recorded before (your time; empty: now)
        <input
          type="datetime-local"
          value={chosen.until}
          onChange={({ target }) => change({ until: target.value })}
        />
      </label>
    </ConfirmDialog>
  );
}

function effectOf(n: number | undefined): string {
  if (n === undefined) return 'Counting…';
  if (n === 0) return 'There is no such event.';
  return `Sends ${count(n, 'event', 'events')} again, with the same bodies and ids. The merchant may have seen some of them. Events that are not accepted are sent again every 12 hours for 7 days.`;
}

/** Undefined where it does not say from when. */
function scopeOf({ from, until, status, type }: Chosen): CountDeliveriesQuery | undefined {
  const [start, end] = [instantOf(from), instantOf(until)];
  if (start === undefined) return undefined;
  return {
    status,
    from: start,
    ...(end !== undefined && { until: end }),
    ...(type !== '' && { type }),
  };
}

function instantOf(input: string): string | undefined {
  const at = new Date(input);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** As a datetime-local field takes it, in the viewer's zone. */
function localInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
