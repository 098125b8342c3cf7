/** What is wrong with a server's certificate or its TLS, by the library's code, in words for who has to mend it. */
const words: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself alone',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'it does not send the intermediate certificates of its own',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'it does not send the intermediate certificates of its own, or they are of an authority that is not trusted here',
  INVALID_PURPOSE: 'its certificate is not one for servers',
  // All that the runtime has no code for, of checks of the certificate alone: a short key, a weak hash.
  UNSPECIFIED: 'its certificate was refused, perhaps since its key or its signature is too weak',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it has no TLS from 1.2 on',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it has no TLS from 1.2 on',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on this port',
};
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|INVALID_CA$|PATH_LENGTH_|HOSTNAME_MISMATCH$|EPROTO$)/;

/** A sentence for an error of TLS; undefined for a code of another one. */
export function tlsSentence(code: string): string | undefined {
  const why = Object.hasOwn(words, code) ? words[code] : undefined;
  if (why !== undefined) return `No secure connection could be made: ${why} (${code}).`;
  return tlsCode.test(code) ? `No secure connection could be made (${code}).` : undefined;
}
