import { Cards } from './cards.tsx';
import { Fees } from './fees.tsx';
import { Gauges } from './gauges.tsx';

/** What the networks charge, and how near their limits are. */
export function Limits() {
  return (
    <>
      <div className="page-head">
        <h1>Fees and limits</h1>
      </div>
      <Fees />
      <Gauges />
      <Cards />
    </>
  );
}
