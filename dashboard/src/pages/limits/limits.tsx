import { Cards } from './cards.tsx';
import { Fees } from './fees.tsx';
import { Gauges } from './gauges.tsx';

/** What the networks charge, and how near their limits are. */
export function Limits() {
  return (
    <>
      <div className="page-head">
        <h1>Network fees and limits</h1>
      </div>
      <Fees />
      <Gauges />
      <Cards />
    </>
  );
}
