import { expect, it } from 'vitest';
import { failureOf } from '../../../src/merchant/outbound/failure.ts';
import { tlsSentence } from '../../../src/merchant/outbound/tls-sentence.ts';

const detailOf = (code: string) => failureOf(Object.assign(new Error('canary'), { code })).detail;

it.each([
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  [
    'UNSPECIFIED',
    'its certificate was refused, perhaps since its key or its signature is too weak',
  ],
  ['INVALID_PURPOSE', 'its certificate is not one for servers'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'it has no TLS from 1.2 on'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS on this port'],
])('%s is told in words: %s', (code, words) => {
  expect(detailOf(code)).toBe(`No secure connection could be made: ${words} (${code}).`);
});

it.each([
  'CERT_REVOKED',
  'CRL_HAS_EXPIRED',
  'PATH_LENGTH_EXCEEDED',
  'ERR_SSL_EXCESSIVE_MESSAGE_SIZE',
])('%s is told to be of TLS, by its code alone', (code) => {
  expect(detailOf(code)).toBe(`No secure connection could be made (${code}).`);
});

it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'constructor'])('%s is nothing of TLS', (code) => {
  expect(tlsSentence(code)).toBeUndefined();
  expect(detailOf(code)).toBe(`The connection failed (${code}).`);
});
