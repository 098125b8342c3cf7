import { expect, it, onTestFinished } from 'vitest';
import { startStripeServer } from '../kits/psps/stripe-server.ts';
import { type Service, useServices } from '../kits/service.ts';
import { operatorApi } from '../kits/service-calls.ts';

const services = useServices();

const kits = ['lifeline', 'note-packages'].map(
  (name) => `--import=${new URL(`../kits/${name}.ts`, import.meta.url).href}`,
);

/** What a service may come to need, and none needs to start. */
const libraries = [
  '@adyen/api-library',
  '@aws-sdk/client-kms',
  '@fastify/swagger',
  '@opentelemetry/sdk-trace',
  '@scalar/fastify-api-reference',
  'axios',
  'braintree',
  'checkout-sdk-node',
  'date-holidays',
  'fontkit',
  'nodemailer',
  'openid-client',
  'pdfkit',
  'stripe',
  'vite',
] as const;

it("a start loads no processor's library, and a connection its own processor's alone", async () => {
  const stripe = await startStripeServer({ now: () => new Date() });
  onTestFinished(() => stripe.close());
  const env = { NODE_OPTIONS: kits.join(' '), STRIPE_URL: stripe.url };
  const service = await services.start({ env });
  const atStart = packagesOf(service);
  expect(atStart).toEqual(expect.arrayContaining(['fastify', 'pg', 'undici']));
  expect(libraries.filter((name) => atStart.includes(name))).toEqual([]);

  const path = `/api/merchants/${service.merchantId}/psps`;
  const connection = { psp: 'stripe', ...stripe.credentials };
  expect(await operatorApi(service).post(path, connection)).toMatchObject({ status: 200 });
  await service.printed(/^package stripe$/m);
  const since = packagesOf(service).filter((name) => !atStart.includes(name));
  expect(libraries.filter((name) => since.includes(name))).toEqual(['stripe']);
});

function packagesOf(service: Service): readonly string[] {
  return [...service.output().stderr.matchAll(/^package (\S+)/gm)].map(([, name]) => name ?? '');
}
