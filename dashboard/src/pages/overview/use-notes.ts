import { useMemo } from 'react';
import { useExperiments } from '../../api/policies.ts';
import { useEndpoints } from '../../api/webhooks.ts';
import type { Note } from '../../parts/chart/chart-input.ts';
import { useAskedAt } from '../../state/asked-at.ts';
import { usePortal } from '../../state/portal.ts';

/** What happened when: policies that were switched on, models that lost their trust, endpoints that fail. */
export function useNotes(merchantId: string | undefined): readonly Note[] {
  const isPortal = usePortal() !== undefined;
  const { askedAt } = useAskedAt();
  const experiments = useExperiments(isPortal ? undefined : { merchant_id: merchantId }, askedAt)
    .data?.experiments;
  const endpoints = useEndpoints(merchantId).data?.items;
  return useMemo(() => {
    const policies = (experiments ?? []).flatMap(({ merchant_name: name, since, fallback }) => [
      noteOf(since, `${name}: the learned policy was switched on or changed`),
      noteOf(fallback?.since, `${name}: fixed schedules are used, the model is off`),
    ]);
    const failing = (endpoints ?? []).map(({ merchant_name: name, failing_since: since }) =>
      noteOf(since, `${name}: the endpoint began to fail`),
    );
    return [...policies, ...failing]
      .filter((note) => note !== undefined)
      .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  }, [experiments, endpoints]);
}

function noteOf(at: string | undefined, text: string): Note | undefined {
  return at === undefined ? undefined : { at: new Date(at), text };
}
