import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { minuteMs } from '../../domain/clock.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import type { SignInSecrets } from './sign-in-provider.ts';

/** How long a person may take at the provider. */
export const signInMs = 15 * minuteMs;

/** A sign-in that was begun, as its browser brings it back. */
export interface BegunSignIn extends SignInSecrets {
  /** The page that was asked for. */
  readonly to: string;
  readonly endsAtMs: number;
}

export interface SealedSignIns {
  seal(begun: BegunSignIn): string;
  /** Undefined for what we did not seal. */
  open(text: string): BegunSignIn | undefined;
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * What has to be known when the browser is back travels with it, sealed (AES-256-GCM) under a key that every
 * process derives from the operator token: any of them ends what another began, and a stranger's
 * beginnings leave nothing behind. Only the browser that began can end, which no other page can make it do.
 */
export function createSealedSignIns(
  deps: Pick<OperatorDeps, 'operatorToken' | 'random'>,
): SealedSignIns {
  const key = new Uint8Array(
    hkdfSync('sha256', deps.operatorToken, '', 'recoup operator sign-in', 32),
  );
  return {
    seal(begun) {
      const iv = deps.random.bytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(begun), 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(text) {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= ivBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes));
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        const sealed = bytes.subarray(ivBytes + tagBytes);
        const opened = Buffer.concat([decipher.update(sealed), decipher.final()]);
        return JSON.parse(opened.toString('utf8')) as BegunSignIn;
      } catch {
        return undefined;
      }
    },
  };
}
