import { type Page, route } from '../../state/page.ts';

export const disputesPage: Page = {
  name: 'Disputes',
  group: 'Operations',
  icon: 'disputes',
  path: '/disputes',
  inPortal: true,
  routes: [
    route('/disputes', async () => (await import('./dispute-list.tsx')).DisputeList),
    route(
      '/disputes/outcomes',
      async () => (await import('./outcome-list.tsx')).OutcomeList,
      'How disputes ended',
    ),
    route('/disputes/:id', async () => (await import('./one-dispute.tsx')).OneDispute),
  ],
};
