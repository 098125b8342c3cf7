import type { PortalView } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import { Tip } from '../parts/tip.tsx';

/** Whose portal is looked at, and that nothing is changed in it. */
export function PortalBadge({ portal }: { readonly portal: PortalView }) {
  return (
    <p className="portal-badge">
      <Icon name="merchants" />
      <Tip text={portal.merchant.name}>
        {/* A name that is cut off keeps its beginning, in whichever direction it is written. */}
        <strong dir="auto">{portal.merchant.name}</strong>
      </Tip>
      <span className="tag">Read-only</span>
    </p>
  );
}
