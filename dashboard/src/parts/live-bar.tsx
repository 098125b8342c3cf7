import { useEffect, useRef, useState } from 'react';
import { type Change, useLive } from '../state/live.ts';
import { usePortal } from '../state/portal.ts';
import { useViewState } from '../state/view-state.ts';

/** Not more often, however much changes. */
const showEveryMs = 1_000;

/**
 * What changed since the page was read: gathered behind a button that says how much, or shown at once
 * where the view is pinned to live, which stands in the address.
 */
export function LiveBar(props: Props) {
  // The stream of changes is the operators'.
  return usePortal() === undefined ? <Live {...props} /> : null;
}

interface Props {
  /** Which changes belong to this view. */
  readonly isOwn?: (change: Change) => boolean;
  /** Reads the view anew. */
  readonly onShow: () => void;
}

function Live({ isOwn = () => true, onShow }: Props) {
  const view = useViewState();
  const isPinned = view.param('live') === 'on';
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  useLive((changes) => {
    const own = changes.filter(
      (change) =>
        (view.merchantId === undefined || change.merchant_id === view.merchantId) && isOwn(change),
    );
    if (own.length === 0) return;
    setChanged((before) => new Set([...before, ...own.map(nameOf)]));
  });
  const show = useRef(onShow);
  useEffect(() => {
    show.current = onShow;
  });
  useEffect(() => {
    if (!isPinned || changed.size === 0) return;
    const timer = setTimeout(() => {
      setChanged(new Set());
      show.current();
    }, showEveryMs);
    return () => clearTimeout(timer);
  }, [isPinned, changed]);
  return (
    <span className="live">
      {/* Said once, however many more there are by then. */}
      <span role="status" className="unseen">
        {!isPinned && changed.size > 0 && 'Something has changed'}
      </span>
      {!isPinned && changed.size > 0 && (
        <button
          type="button"
          className="button primary"
          onClick={() => {
            setChanged(new Set());
            onShow();
          }}
        >
          {changed.size} new
        </button>
      )}
      <button
        type="button"
        className="button quiet"
        aria-pressed={isPinned}
        onClick={() => view.change({ live: isPinned ? undefined : 'on' }, { replace: true })}
      >
        {isPinned ? '● Live' : '○ Pin to live'}
      </button>
    </span>
  );
}

function nameOf({ merchant_id: merchant, invoice_id: invoice }: Change): string {
  return `${merchant}/${invoice}`;
}
