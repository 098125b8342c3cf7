import { useMerchantMove } from '../api/merchants.ts';
import { Time } from './time.tsx';

/** Says that a merchant is in another cell, where all of this goes on, or is on its way there. */
export function Moved({ merchantId }: { readonly merchantId: string }) {
  const move = useMerchantMove(merchantId);
  if (move === undefined) return null;
  const cell = move.to_cell === undefined ? 'another cell' : <bdi>{move.to_cell}</bdi>;
  const since = <Time at={move.since} form="short" focusable />;
  return (
    <p className="state" role="note">
      {move.state === 'moved' ? (
        <span>
          <strong>■ Moved.</strong> The merchant has been in {cell} since {since}. What is shown
          here is a copy from before the move, and nothing happens to it: look there.
        </span>
      ) : (
        <span>
          <strong>■ Moving.</strong> The merchant has been on its way to {cell} since {since}. Its
          payments wait until it is there.
        </span>
      )}
    </p>
  );
}
