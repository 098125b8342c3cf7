import type { PortalView } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';

/** Whose portal is looked at, and that nothing is changed in it. */
export function PortalBadge({ portal }: { readonly portal: PortalView }) {
  return (
    <p className="portal-badge">
      <Icon name="merchants" />
      <strong>{portal.merchant.name}</strong>
      <span className="tag">Read-only</span>
    </p>
  );
}
