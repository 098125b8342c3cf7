import { type Page, route } from '../../state/page.ts';

export const limitsPage: Page = {
  name: 'Limits',
  group: 'Recovery',
  icon: 'limits',
  path: '/limits',
  routes: [route('/limits', async () => (await import('./limits.tsx')).Limits)],
};
