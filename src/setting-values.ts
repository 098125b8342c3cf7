import { isIP } from 'node:net';
import { dayMs, hourMs, minuteMs, secondMs } from './domain/clock.ts';
import { AppError } from './domain/errors.ts';
import { trustedProxies } from './http/proxies/trusted-proxies.ts';
import { readAllowList } from './merchant/outbound/allow-list.ts';
import { databaseHosts } from './store/hosts/database-hosts.ts';
import type { WrappingKey } from './store/sealing/wrapping-key.ts';

/** A value read, or a phrase that goes on after the setting's name: `must be …`. */
export type Reading<Value> = { readonly value: Value } | { readonly fault: string };

/** How the text of one kind of setting is read. `words` names the kind in docs/settings.md. */
export interface ValueType<Value> {
  readonly words: string;
  read(text: string): Reading<Value>;
}

/** A whole number in decimal digits, both bounds included. */
export function wholeNumber(min: number, max: number): ValueType<number> {
  const words = `whole number from ${min} to ${max}`;
  return {
    words,
    read: (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? { value } : { fault: `must be a ${words}` };
    },
  };
}

/** A port to listen on. 0 lets the system choose, which tests use. */
export const port: ValueType<number> = {
  words: 'port from 0 to 65535; 0 lets the system choose',
  read: (text) => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    return value <= 65_535 ? { value } : { fault: 'must be a port from 0 to 65535' };
  },
};

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: secondMs,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
};

/** A duration with its unit (`500ms`, `10s`, `2m`, `1h`, `1d`), in milliseconds. */
export function duration(min: string, max: string): ValueType<number> {
  const minMs = milliseconds(min);
  const maxMs = milliseconds(max);
  const words = `duration from ${min} to ${max}, such as 500ms, 10s or 2m`;
  return {
    words,
    read: (text) => {
      const value = milliseconds(text);
      return value >= minMs && value <= maxMs ? { value } : { fault: `must be a ${words}` };
    },
  };
}

/** Not a number for a text that is no duration. */
function milliseconds(text: string): number {
  const parts = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  return Number(parts?.[1] ?? Number.NaN) * (unitsMs[parts?.[2] ?? ''] ?? Number.NaN);
}

export const instant: ValueType<Date> = {
  words: 'time in UTC, such as 2026-06-06T04:00:00Z',
  read: (text) => {
    const at = new Date(text);
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/.test(text);
    if (isTime && !Number.isNaN(at.getTime())) return { value: at };
    return { fault: 'must be a time in UTC, such as 2026-06-06T04:00:00Z' };
  },
};

export const yesOrNo: ValueType<boolean> = {
  words: '`true` or `false`',
  read: (text) => {
    if (text === 'true') return { value: true };
    if (text === 'false') return { value: false };
    return { fault: 'must be true or false' };
  },
};

/** One of a few words. */
export function oneOf<const Word extends string>(allowed: readonly Word[]): ValueType<Word> {
  return {
    words: `one of ${allowed.map((word) => `\`${word}\``).join(', ')}`,
    read: (text) => {
      const value = allowed.find((word) => word === text);
      return value === undefined ? { fault: `must be one of ${allowed.join(', ')}` } : { value };
    },
  };
}

/** Some of a few words, separated by commas, or `all`; in the order of `allowed`. */
export function someOf<const Word extends string>(
  allowed: readonly Word[],
): ValueType<readonly Word[]> {
  const names = allowed.join(', ');
  return {
    words: `\`all\`, or some of ${allowed.map((word) => `\`${word}\``).join(', ')} separated by commas`,
    read: (text) => {
      if (text === 'all') return { value: Object.freeze([...allowed]) };
      const given = items(text);
      const unknown = given.find((item) => !allowed.some((word) => word === item));
      if (unknown !== undefined || given.length === 0) {
        return { fault: `must be all, or some of ${names} separated by commas` };
      }
      return { value: Object.freeze(allowed.filter((word) => given.includes(word))) };
    },
  };
}

/** An address or a name to listen on. */
export const host: ValueType<string> = {
  words: 'IP address or host name',
  read: (text) => {
    const isName = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text);
    if (isIP(text) !== 0 || (isName && !/^[\d.]+$/.test(text))) return { value: text };
    return { fault: 'must be an IP address or a host name' };
  },
};

/** Names in a Host header; an empty text lists none. */
export const hostNames: ValueType<readonly string[]> = {
  words: 'host names (`recoup.example.com`, `*.example.com`), separated by commas',
  read: (text) => {
    const names = items(text);
    return names.every((name) => hostName.test(name))
      ? { value: Object.freeze(names) }
      : { fault: 'must list host names such as recoup.example.com and *.example.com' };
  },
};

const hostName = /^(\*\.)?[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/;

/** Addresses and networks; an empty text lists none. */
export const networks: ValueType<readonly string[]> = {
  words: 'addresses (`10.0.0.7`) and networks (`10.1.0.0/16`), separated by commas',
  read: (text) => {
    const value = Object.freeze(items(text));
    try {
      trustedProxies(value);
      return { value };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { fault: 'must list addresses such as 10.0.0.7 and networks such as 10.1.0.0/16' };
    }
  },
};

/** A folder, relative to the one that Recoup is started in or absolute. */
export const folder: ValueType<string> = {
  words: 'path of a folder',
  read: (text) =>
    text.includes('\0') ? { fault: 'must be the path of a folder' } : { value: text },
};

/** A connection string of PostgreSQL. */
export const databaseUrl: ValueType<string> = {
  words:
    '`postgresql://user:password@host:5432/database`; several hosts as `a:5432,b:5433`, with `target_session_attrs`',
  read: (text) => {
    // A socket of this machine: `postgres:///db?host=/run/postgresql`.
    const isLocal = /^postgres(ql)?:\/\/\//.test(text) && URL.canParse(text);
    if (isLocal || databaseHosts(text) !== undefined) return { value: text };
    return { fault: 'must have the form postgresql://user:password@host:5432/database' };
  },
};

/** A schema of a database, which other names are made of: so short, and nothing that needs quotes. */
export const schemaName: ValueType<string> = {
  words: 'a small letter, then up to 29 small letters, digits or `_`, such as `cell_1`',
  read: (text) =>
    /^(?!pg_|public$|pgboss$|information_schema$)[a-z][a-z0-9_]{0,29}$/.test(text)
      ? { value: text }
      : {
          fault:
            'must be a small letter, then up to 29 small letters, digits or _, and no name of PostgreSQL or pg-boss',
        },
};

/** The address of a service, without a slash at its end. */
export const httpUrl: ValueType<string> = {
  words: 'URL such as `http://127.0.0.1:8082`',
  read: (text) => {
    const url = URL.parse(text);
    const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
    if (url === null || !isHttp || url.search !== '' || url.hash !== '' || url.username !== '') {
      return { fault: 'must be a URL such as http://127.0.0.1:8082' };
    }
    return { value: `${url.origin}${url.pathname}`.replace(/\/+$/, '') };
  },
};

/** A mail server, with its login. */
export const smtpUrl: ValueType<string> = {
  words: '`smtp://` or `smtps://` URL of a host, with a login where it asks for one',
  read: (text) => {
    const url = URL.parse(text);
    const isMail = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
    // Options in the query would go to the library unseen: TLS can be turned off by one.
    if (isMail && url.search === '' && url.hash === '') return { value: text };
    return { fault: 'must be an smtp:// or smtps:// URL with a host and no query' };
  },
};

/** One address, without a name. */
export const mailAddress: ValueType<string> = {
  words: 'e-mail address such as `bounces@example.com`',
  read: (text) =>
    /^[^\s@<>,;+]{1,40}@[^\s@<>,;]{1,255}$/.test(text)
      ? { value: text }
      : { fault: 'must be an e-mail address such as bounces@example.com, without a +' },
};

/** The address of an OpenID Connect provider, to the letter: it is compared with what the provider says. */
export const issuerUrl: ValueType<string> = {
  words: 'https URL such as `https://id.example.com`; http on loopback alone',
  read: (text) => {
    const url = URL.parse(text);
    const isHttps = url?.protocol === 'https:';
    const isLocal =
      url?.protocol === 'http:' && /^(127\.[\d.]+|\[::1\]|localhost)$/.test(url.hostname);
    if (url !== null && (isHttps || isLocal) && url.search === '' && url.hash === '') {
      return { value: text };
    }
    return { fault: 'must be an https URL such as https://id.example.com' };
  },
};

/** A line of text. */
export const line: ValueType<string> = {
  words: 'text of one line',
  read: (text) =>
    /^[ -~]{1,512}$/.test(text)
      ? { value: text }
      : { fault: 'must have 1 to 512 printable ASCII characters' },
};

/** Networks and `host:port` servers, as merchant/outbound reads them; an empty text lists none. */
export const allowList: ValueType<readonly string[]> = {
  words: 'networks (`10.1.0.0/16`) and servers (`billing.internal:9000`), separated by commas',
  read: (text) => {
    const value = Object.freeze(items(text));
    try {
      readAllowList(value);
      return { value };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { fault: 'must list networks such as 10.1.0.0/16 and servers such as host:port' };
    }
  },
};

const keyBytes = 32;

/** The ARN of a key of AWS KMS: never an alias, which could be moved to another key. */
const awsKey =
  /^aws-kms:(arn:aws[a-z-]{0,20}:kms:([a-z0-9-]{1,32}):\d{12}:key\/(?:[0-9a-f-]{36}|mrk-[0-9a-f]{32}))$/;

/** 32 bytes: 64 hexadecimal digits, or base 64; or a key of AWS KMS. */
export const encryptionKey: ValueType<WrappingKey> = {
  words:
    '32 bytes, as 64 hexadecimal digits or in base 64 (`openssl rand -hex 32`); or `aws-kms:` and the ARN of a symmetric key',
  read: (text) => {
    const [, arn, region] = awsKey.exec(text) ?? [];
    if (arn !== undefined && region !== undefined)
      return { value: { kind: 'aws_kms', region, arn } };
    const isHex = /^[0-9a-fA-F]{64}$/.test(text);
    const isBase64 = /^[A-Za-z0-9+/]{43}=$/.test(text);
    const value = Buffer.from(text, isHex ? 'hex' : 'base64');
    return (isHex || isBase64) && value.length === keyBytes
      ? { value: { kind: 'local', bytes: new Uint8Array(value) } }
      : {
          fault:
            'must be 32 bytes, as 64 hexadecimal digits or in base 64, or aws-kms: and the ARN of a key',
        };
  },
};

/** Some of them, separated by commas; an empty text lists none. */
export const encryptionKeys: ValueType<readonly WrappingKey[]> = {
  words: 'the same, several separated by commas',
  read: (text) => {
    const value: WrappingKey[] = [];
    for (const item of items(text)) {
      const reading = encryptionKey.read(item);
      if ('fault' in reading) return { fault: `${reading.fault}; several separated by commas` };
      value.push(reading.value);
    }
    return { value: Object.freeze(value) };
  },
};

/** A part of a whole. */
export const share: ValueType<number> = {
  words: 'number from 0 to 1, such as 0.1',
  read: (text) => {
    const value = /^\d(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
    return value <= 1 ? { value } : { fault: 'must be a number from 0 to 1, such as 0.1' };
  },
};

/** Headers as OpenTelemetry's settings list them: values are percent-encoded. */
export const pairs: ValueType<Readonly<Record<string, string>>> = {
  words: '`name=value`, several separated by commas, values percent-encoded',
  read: (text) => {
    const value: Record<string, string> = {};
    for (const item of items(text)) {
      const [, name, encoded = ''] = /^([A-Za-z0-9_-]{1,64})=(.{1,4096})$/.exec(item) ?? [];
      const decoded = decodedHeader(encoded);
      if (name === undefined || decoded === undefined) {
        return {
          fault: 'must list headers as name=value, separated by commas, values percent-encoded',
        };
      }
      value[name] = decoded;
    }
    return { value: Object.freeze(value) };
  },
};

function decodedHeader(encoded: string): string | undefined {
  try {
    const text = decodeURIComponent(encoded);
    return /^[ -~]+$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** What a Bearer header can carry (RFC 6750 section 2.1), long enough not to be guessed. */
export const bearerToken: ValueType<string> = {
  words: '16 to 256 characters of `A-Z a-z 0-9 - . _ ~ + / =` (`openssl rand -hex 32`)',
  read: (text) =>
    /^[A-Za-z0-9._~+/=-]{16,256}$/.test(text)
      ? { value: text }
      : { fault: 'must have 16 to 256 characters of A-Z a-z 0-9 - . _ ~ + / =' },
};

function items(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
