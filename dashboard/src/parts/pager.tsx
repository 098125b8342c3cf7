import { useViewState } from '../state/view-state.ts';

/** On to older rows, and back to the newest; the place stands in the address. */
export function Pager({
  nextCursor,
  first = 'Newest',
  next = 'Older',
}: {
  readonly nextCursor: string | undefined;
  /** The words on its buttons, for a list that does not begin with the newest. */
  readonly first?: string;
  readonly next?: string;
}) {
  const view = useViewState();
  const cursor = view.param('cursor');
  if (cursor === undefined && nextCursor === undefined) return null;
  return (
    <nav className="pager" aria-label="Pages of the list">
      {cursor !== undefined && (
        <button type="button" className="button" onClick={() => view.change({ cursor: undefined })}>
          {first}
        </button>
      )}
      {nextCursor !== undefined && (
        <button
          type="button"
          className="button"
          onClick={() => view.change({ cursor: nextCursor })}
        >
          {next}
        </button>
      )}
    </nav>
  );
}
