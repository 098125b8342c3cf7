import { useViewState } from '../state/view-state.ts';

/** On to older rows, and back to the newest; the place stands in the address. */
export function Pager({ nextCursor }: { readonly nextCursor: string | undefined }) {
  const view = useViewState();
  const cursor = view.param('cursor');
  if (cursor === undefined && nextCursor === undefined) return null;
  return (
    <nav className="pager" aria-label="Pages of the list">
      {cursor !== undefined && (
        <button type="button" className="button" onClick={() => view.change({ cursor: undefined })}>
          Newest
        </button>
      )}
      {nextCursor !== undefined && (
        <button
          type="button"
          className="button"
          onClick={() => view.change({ cursor: nextCursor })}
        >
          Older
        </button>
      )}
    </nav>
  );
}
