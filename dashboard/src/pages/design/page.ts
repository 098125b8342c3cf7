import { type Page, route } from '../../state/page.ts';

/** For those who change the dashboard: no operator is led here. */
export const designPage: Page = {
  name: 'Design',
  group: 'Settings',
  icon: 'overview',
  path: '/design',
  routes: [route('/design', async () => (await import('./design.tsx')).Design)],
  isHidden: true,
};
