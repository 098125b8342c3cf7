import { type Page, route } from '../../state/page.ts';

export const overviewPage: Page = {
  name: 'Overview',
  group: '',
  icon: 'overview',
  path: '/overview',
  inPortal: true,
  routes: [route('/overview', async () => (await import('./overview.tsx')).Overview)],
};
