import type { IconName } from '../state/icon-name.ts';

/** Paths of 16 by 16 pixels, drawn as lines. */
const paths: Readonly<Record<IconName, string>> = {
  overview: 'M2.5 9.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4z',
  payments:
    'M1.5 4.5a1 1 0 0 1 1-1h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1zM1.5 6.5h13M4 10h3',
  customers: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3 13.5c.5-2.5 2.5-4 5-4s4.5 1.5 5 4',
  timing: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12M8 4.5V8l2.5 1.5',
  policy: 'M2 12.5l3.5-4 3 2 5-6.5M10.5 4h3v3',
  limits: 'M2.5 11.5a5.5 5.5 0 1 1 11 0M8 11.5l2.5-3.5',
  webhooks:
    'M8 2.5v5M8 7.5l-4 4M8 7.5l4 4M8 4a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M3.5 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M12.5 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3',
  disputes: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM8 5.5v3M8 10.5v.1',
  incidents: 'M8 2.5l6 11H2zM8 6.5v3M8 11.5v.1',
  alerts: 'M4 11V7a4 4 0 0 1 8 0v4l1.5 1.5h-11zM6.5 14h3',
  merchants: 'M2.5 6.5l1-4h9l1 4M2.5 6.5v7h11v-7M2.5 6.5h11M6.5 13.5v-4h3v4',
  people:
    'M6 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M1.5 13c.4-2.300 2.2-3.5 4.5-3.5s4.100 1.2 4.5 3.5M10.5 3.300a2.2 2.2 0 0 1 0 4M11.5 9.800c1.700.4 2.700 1.5 3 3.2',
  sandbox: 'M6 2.5h4M6.800 2.5v4l-4 7h10.400l-4-7v-4M4.800 10h6.400',
  view: 'M4 2.5h8v11l-4-3-4 3z',
  save: 'M8 3v10M3 8h10',
  menu: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10M10.5 10.5L14 14',
  calendar:
    'M2.5 4a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM2.5 6.5h11M5.5 1.5V4M10.5 1.5V4',
  open: 'M5 6.5L8 9.5l3-3',
  chosen: 'M3 8.5l3.5 3.5L13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
};

/** A sign beside a word, which says the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
