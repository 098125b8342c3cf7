import { Empty } from '../../parts/empty.tsx';
import { Failed } from '../../parts/failed.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { StatePill, shapedStates } from '../../parts/state-pill.tsx';

/** What a thing may be in, and what a page is while it has nothing to show. */
export function States() {
  return (
    <>
      <Panel title="States">
        <ul className="design-row">
          {shapedStates.map((state) => (
            <li key={state}>
              <StatePill state={state} />
            </li>
          ))}
        </ul>
      </Panel>
      <div className="halves">
        <Panel title="Loading">
          <Loading what="the example" />
        </Panel>
        <Panel title="Empty">
          <Empty title="No failed payment came in">
            <p>What to do about it stands here.</p>
          </Empty>
        </Panel>
        <Panel title="Failed">
          <Failed
            what="the example"
            error={new Error('The service did not answer in time.')}
            retry={() => undefined}
          />
        </Panel>
      </div>
    </>
  );
}
