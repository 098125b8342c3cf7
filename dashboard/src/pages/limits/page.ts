import { type Page, route } from '../../state/page.ts';

export const limitsPage: Page = {
  name: 'Limits',
  path: '/limits',
  routes: [route('/limits', async () => (await import('./limits.tsx')).Limits)],
};
