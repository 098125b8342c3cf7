import { ViewLinks } from '../../parts/view-links.tsx';

const links = [
  ['/alerts', 'Now'],
  ['/alerts/sent', 'Sent'],
  ['/alerts/channels', 'Channels'],
] as const;

/** The way between what needs somebody and who is told. */
export function Views({ current }: { readonly current: (typeof links)[number][0] }) {
  return (
    <ViewLinks
      label="Alerts"
      links={links}
      current={current}
      ofAll={['/alerts/sent', '/alerts/channels']}
    />
  );
}
