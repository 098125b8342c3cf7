import { Copyable } from '../../parts/copyable.tsx';
import { Empty } from '../../parts/empty.tsx';
import { rangeLabels, useViewState } from '../../state/view-state.ts';

/** Nothing came in: the way to the first payment, or to a longer time. */
export function NoFigures({ isCounting }: { readonly isCounting: boolean }) {
  const view = useViewState();
  if (isCounting) {
    return (
      <Empty title="The payments are being counted">
        <p>This happens once; the page goes on by itself.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No failed payment came in">
      <p>
        None in this time: {rangeLabels[view.range].toLowerCase()}. In the sandbox, a failed payment
        that recovers is a few lines away; Recoup prints them when it starts:
      </p>
      <Copyable text="npm run recoup -- clock advance P4D" />
      {view.range !== 'all' && (
        <button type="button" className="button" onClick={() => view.change({ range: 'all' })}>
          Look at all time
        </button>
      )}
    </Empty>
  );
}
