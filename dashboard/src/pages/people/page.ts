import { type Page, route } from '../../state/page.ts';

export const peoplePage: Page = {
  name: 'Audit log',
  path: '/audit',
  routes: [route('/audit', async () => (await import('./audit-log.tsx')).AuditLog)],
};
