import { Link } from 'wouter';
import { useViewState } from '../state/view-state.ts';

/** The way between pages that one word in the menu stands for. */
export function ViewLinks<Path extends string>({
  label,
  links,
  current,
}: {
  readonly label: string;
  readonly links: readonly (readonly [path: Path, name: string])[];
  readonly current: Path;
}) {
  const view = useViewState();
  return (
    <nav className="views" aria-label={label}>
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
