import { ViewLinks } from '../../parts/view-links.tsx';

const links = [
  ['/incidents', 'Incidents'],
  ['/set-aside', 'Set aside'],
  ['/invariants', 'Ledger checks'],
] as const;

/** The way between what contradicts the record and the work that was given up. */
export function Views({ current }: { readonly current: (typeof links)[number][0] }) {
  return (
    <ViewLinks
      label="What waits for a person"
      links={links}
      current={current}
      ofAll={['/invariants']}
    />
  );
}
