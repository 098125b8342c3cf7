import { ViewLinks } from '../../parts/view-links.tsx';

const links = [
  ['/audit', 'Audit log'],
  ['/operators', 'Operators'],
] as const;

/** The way between what was done and who may do it. */
export function Views({ current }: { readonly current: (typeof links)[number][0] }) {
  return <ViewLinks label="Team" links={links} current={current} />;
}
