import { type Page, route } from '../../state/page.ts';

export const overviewPage: Page = {
  name: 'Overview',
  path: '/overview',
  routes: [route('/overview', async () => (await import('./overview.tsx')).Overview)],
};
