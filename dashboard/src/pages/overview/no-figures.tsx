import { Link } from 'wouter';
import { Empty } from '../../parts/empty.tsx';
import { usePagePaths } from '../../state/page-paths.ts';
import { rangeLabel } from '../../state/range.ts';
import { useViewState } from '../../state/view-state.ts';

/** Nothing came in: the way to the first payment, or to a longer time. */
export function NoFigures({ isCounting }: { readonly isCounting: boolean }) {
  const view = useViewState();
  const paths = usePagePaths();
  if (isCounting) {
    return (
      <Empty title="The payments are being counted">
        <p>This happens once; the page continues by itself.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No failed payment came in">
      <p>None in this time: {rangeLabel(view.range)}.</p>
      {paths.has('/start') && (
        <p>
          <Link className="button primary" href={view.href('/start')}>
            Make a first recovery
          </Link>
        </p>
      )}
      {view.range !== 'all' && (
        <button type="button" className="button" onClick={() => view.change({ range: 'all' })}>
          Look at all time
        </button>
      )}
    </Empty>
  );
}
