import { Charts } from './charts.tsx';
import { Controls } from './controls.tsx';
import { States } from './states.tsx';
import { Tables } from './tables.tsx';
import { Tokens } from './tokens.tsx';

/** Every part of the dashboard in every state, of data that never change. */
export function Design() {
  return (
    <>
      <div className="page-head">
        <h1>Design</h1>
        <span className="muted">every part in every state; nothing here does anything</span>
      </div>
      <Tokens />
      <States />
      <Controls />
      <Tables />
      <Charts />
    </>
  );
}
