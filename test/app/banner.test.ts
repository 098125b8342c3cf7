import { expect, it } from 'vitest';
import { banner } from '../../src/app/banner.ts';
import type { App } from '../../src/app.ts';

const token = 'a-token-of-the-operator';
const started = {
  recoveryUrl: 'http://127.0.0.1:8080',
  operatorUrl: 'http://127.0.0.1:8082',
  operatorToken: token,
  demo: {
    server: { origin: 'http://127.0.0.1:8083' },
    credentials: {
      recoveryApiKey: 'rk_test_1',
      disputesPassword: 'dp_1',
      signingSecret: 'ss_1',
      merchantId: 'mer_1',
    },
  },
} as unknown as App;

it('shows the token that it made itself, and never one that the environment gave', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  expect(banner({ ...started, isTokenGiven: false }, now)).toContain(token);
  const printed = banner({ ...started, isTokenGiven: true }, now);
  expect(printed).not.toContain(token);
  expect(printed).toContain('"Authorization: Bearer $OPERATOR_TOKEN"');
});
