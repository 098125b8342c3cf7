import type { EndpointTestJson } from '../../api/generated/merchants.ts';
import { StatePill } from '../../parts/state-pill.tsx';

/** How a test call went, and what to mend. */
export function TestResult({ test }: { readonly test: EndpointTestJson }) {
  const status = test.status === undefined ? '' : `HTTP ${test.status} `;
  return (
    <>
      <p>
        <StatePill state={test.result} /> {status}in {test.duration_ms} ms. {test.message}
      </p>
      {test.advice !== undefined && <p className="muted">What to do: {test.advice}</p>}
    </>
  );
}
