import { Link } from 'wouter';
import { useSeesAll } from '../state/sees-all.ts';
import { useViewState } from '../state/view-state.ts';

/** The way between pages that one word in the menu stands for. */
export function ViewLinks<Path extends string>({
  label,
  links,
  current,
  ofAll = [],
}: {
  readonly label: string;
  readonly links: readonly (readonly [path: Path, name: string])[];
  readonly current: Path;
  /** Those that are about all merchants: operators of some are refused them, and not led there. */
  readonly ofAll?: readonly Path[];
}) {
  const view = useViewState();
  const seesAll = useSeesAll();
  const shown = links.filter(([path]) => seesAll || path === current || !ofAll.includes(path));
  return (
    <nav className="views" aria-label={label}>
      {shown.map(([path, name]) => (
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
