import { type Page, route } from '../../state/page.ts';

export const incidentsPage: Page = {
  name: 'Incidents',
  group: 'Operations',
  icon: 'incidents',
  path: '/incidents',
  routes: [
    route('/incidents', async () => (await import('./incident-list.tsx')).IncidentList),
    route('/incidents/:id', async () => (await import('./one-incident.tsx')).OneIncident),
    route('/set-aside', async () => (await import('./set-aside.tsx')).SetAsideList, 'Set aside'),
    route(
      '/invariants',
      async () => (await import('./invariants.tsx')).Invariants,
      'Ledger checks',
    ),
  ],
};
