import { Link } from 'wouter';
import { useViewState } from '../../state/view-state.ts';

/** The way between what contradicts the record and the work that was given up. */
export function Views({
  current,
}: {
  readonly current: '/incidents' | '/set-aside' | '/invariants';
}) {
  const view = useViewState();
  const links = [
    ['/incidents', 'Incidents'],
    ['/set-aside', 'Set aside'],
    ['/invariants', 'Invariants'],
  ] as const;
  return (
    <nav className="views" aria-label="What waits for a person">
      {links.map(([path, name]) => (
        <Link
          key={path}
          href={view.href(path)}
          {...(path === current ? { 'aria-current': 'page' as const } : {})}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
