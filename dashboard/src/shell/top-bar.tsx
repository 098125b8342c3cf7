import { Icon } from '../parts/icon.tsx';
import { usePortal } from '../state/portal.ts';
import { Brand } from './brand.tsx';
import { MerchantSelect } from './merchant-select.tsx';
import { PortalBadge } from './portal-badge.tsx';
import { RangeSelect } from './range-select.tsx';
import { SearchBox } from './search-box.tsx';

/** What one looks at: merchant, time, search; on a phone the way to the pages too. */
export function TopBar({
  sandbox,
  onMenu,
}: {
  readonly sandbox: boolean;
  /** Absent where the pages stand at the side. */
  readonly onMenu?: (() => void) | undefined;
}) {
  const portal = usePortal();
  return (
    <header className="bar">
      {onMenu !== undefined && (
        <div className="bar-brand">
          <button type="button" className="button quiet bar-menu" onClick={onMenu}>
            <Icon name="menu" />
            Menu
          </button>
          <Brand sandbox={sandbox} />
        </div>
      )}
      {portal === undefined ? <MerchantSelect /> : <PortalBadge portal={portal} />}
      <RangeSelect />
      <SearchBox />
    </header>
  );
}
