import { type Page, route } from '../../state/page.ts';

export const sandboxPage: Page = {
  name: 'Sandbox',
  group: 'Settings',
  icon: 'sandbox',
  path: '/sandbox',
  sandboxOnly: true,
  routes: [
    route('/sandbox', async () => (await import('./sandbox.tsx')).Sandbox),
    route(
      '/start',
      async () => (await import('./first-recovery.tsx')).FirstRecovery,
      'A first recovery',
    ),
  ],
};
