import { ViewLinks } from '../../parts/view-links.tsx';

const links = [
  ['/disputes', 'Disputes'],
  ['/disputes/outcomes', 'Outcomes'],
] as const;

/** The way between the disputes and how they ended. */
export function Views({ current }: { readonly current: (typeof links)[number][0] }) {
  return <ViewLinks label="Disputes" links={links} current={current} />;
}
