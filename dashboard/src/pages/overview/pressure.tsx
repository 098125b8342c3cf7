import { Link } from 'wouter';
import type { NetworkPressureJson } from '../../api/generated/overview.ts';
import { count } from '../../parts/count.ts';
import { networkName } from '../../parts/network-name.ts';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { usePagePaths } from '../../state/page-paths.ts';
import { useViewState } from '../../state/view-state.ts';

/** How many cards come near what their networks allow, each network by itself. */
export function Pressure({ of }: { readonly of: NetworkPressureJson }) {
  const view = useViewState();
  const hasCards = usePagePaths().has('/limits');
  const asOf = of.as_of;
  return (
    <Panel
      title="Cards near a network’s limit"
      aside={<span className="muted small">30 days</span>}
    >
      {of.networks.length === 0 ? (
        <p className="muted">
          {asOf === undefined
            ? 'They are being counted.'
            : 'No card has used half of what its network allows.'}
        </p>
      ) : (
        <>
          <ul className="pressure">
            {of.networks.map(({ network, near, spent }) => (
              <li key={network}>
                <strong>{networkName(network)}</strong>
                <span>
                  {count(near, 'card', 'cards')}
                  {spent > 0 && `, ✕ ${spent} with nothing left`}
                </span>
              </li>
            ))}
          </ul>
          {hasCards && <Link href={view.href('/limits')}>The cards</Link>}
        </>
      )}
      {asOf !== undefined && (
        <p className="muted small">
          updated <Time at={asOf} />
        </p>
      )}
    </Panel>
  );
}
