import { Link } from 'wouter';
import { useViewState } from '../../state/view-state.ts';

/** The way between what was done and who may do it. */
export function Views({ current }: { readonly current: '/audit' | '/operators' }) {
  const view = useViewState();
  const links = [
    ['/audit', 'Audit log'],
    ['/operators', 'Operators'],
  ] as const;
  return (
    <nav className="views" aria-label="People">
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
