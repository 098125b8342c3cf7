import { type Page, route } from '../../state/page.ts';

export const paymentsPage: Page = {
  name: 'Payments',
  group: 'Recovery',
  icon: 'payments',
  path: '/payments',
  inPortal: true,
  routes: [
    route('/payments', async () => (await import('./payment-list.tsx')).PaymentList),
    route(
      '/payments/:merchantId/:invoiceId',
      async () => (await import('./one-payment.tsx')).OnePayment,
    ),
    route(
      '/customers/:merchantId/:customerId',
      async () => (await import('./one-customer.tsx')).OneCustomer,
      'Customer',
    ),
  ],
};
