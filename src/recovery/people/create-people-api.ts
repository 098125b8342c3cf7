import type { OperatorRole } from '../../domain/access/operators.ts';
import { addMs, type Clock, minuteMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import { hintOf, hintText, isKeyText, newKeyText } from '../../domain/key-text.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { HashCredential } from '../admin/ports.ts';
import type { Identity, NewOperator, OperatorView, PeopleApi } from './people-api.ts';
import type { PeopleStore } from './people-store.ts';

/** Valid tokens of one person at once: one for each machine, and room to replace them. */
const maxTokens = 20;
/** A use is written down at most so often. */
const noteEveryMs = minuteMs;

export interface PeopleDeps {
  readonly store: PeopleStore;
  /** Nobody moves it: tokens end by it, also in a sandbox whose time was moved. */
  readonly machine: Clock;
  /** The service's time, by which the audit log goes. */
  readonly clock: Clock;
  readonly random: Random;
  readonly hashCredential: HashCredential;
  readonly keyMode: 'test' | 'live';
  /** Where there are several cells, the one that this is. */
  readonly cell?: string | undefined;
  /** What whoever signs in at the provider may do whom nobody has added; absent: nothing. */
  readonly defaultRole?: OperatorRole;
}

export function createPeopleApi(deps: PeopleDeps): PeopleApi {
  const { store, machine, clock, random, hashCredential, cell } = deps;
  const prefix = `op_${deps.keyMode}` as const;
  return {
    list: () => store.list(),
    find: (operatorId) => store.find(operatorId),
    async add(given) {
      const operator: OperatorView = {
        ...given,
        ...(given.email !== undefined && { email: given.email.toLowerCase() }),
        operatorId: newId(random, 'op'),
        createdAt: machine.now(),
      };
      switch (await store.add(operator, clock.now())) {
        case 'added':
          return operator;
        case 'email_taken':
          throw new AppError('conflict', 'Another operator has this e-mail address.');
        case 'no_merchant':
          throw noMerchant();
      }
    },
    async change(operatorId, change) {
      const changed = await store.change({ operatorId, change, at: clock.now() });
      if (changed === 'no_merchant') throw noMerchant();
      return changed;
    },
    remove: (operatorId) => remove(deps, operatorId),
    listTokens: (operatorId) => store.listTokens(operatorId),
    async issueToken(operatorId, validMs) {
      const text = newKeyText(random, prefix, cell);
      const createdAt = machine.now();
      const token = {
        tokenId: newId(random, 'tok'),
        operatorId,
        hint: hintText(hintOf(text)),
        createdAt,
        expiresAt: addMs(createdAt, validMs),
      };
      const hash = hashCredential(text);
      switch (await store.addToken({ ...token, hash, maxValid: maxTokens, at: clock.now() })) {
        case 'added':
          return { ...token, text };
        case 'no_operator':
          return undefined;
        case 'too_many':
          throw new AppError(
            'conflict',
            `The operator already has the maximum of ${maxTokens} valid tokens. Revoke one first.`,
          );
      }
    },
    signInBy: (identity) => signInBy(deps, identity),
    async revokeToken(operatorId, tokenId) {
      const key = { operatorId, tokenId };
      return await store.revokeToken({ ...key, revokedAt: machine.now(), at: clock.now() });
    },
    async findByToken(text) {
      // A mistyped or invented one is told by its checksum, without asking the database.
      if (!isKeyText(text, ['op_test', 'op_live'])) return undefined;
      return await store.useToken({
        hash: hashCredential(text),
        at: machine.now(),
        atMostEveryMs: noteEveryMs,
      });
    },
  };
}

function noMerchant(): AppError {
  return new AppError('not_found', 'One of these ids is not that of a merchant.');
}

/** What tells an address from another after it is forgotten; the first word keeps it apart from other texts' hashes. */
const emailHasher = (hashCredential: HashCredential) => (email: string) =>
  hashCredential(`operator address, v1\n${email.toLowerCase()}`);

function remove(deps: PeopleDeps, operatorId: string): Promise<boolean> {
  const { store, machine, clock } = deps;
  const hashEmail = emailHasher(deps.hashCredential);
  return store.remove({ operatorId, hashEmail, removedAt: machine.now(), at: clock.now() });
}

/** By the subject or the address; with a default role whoever has an address is added first, unless they were removed. */
async function signInBy(deps: PeopleDeps, identity: Identity): ReturnType<PeopleApi['signInBy']> {
  const { store, machine, clock, random, hashCredential } = deps;
  const { email } = identity;
  const emailHash = email === undefined ? undefined : emailHasher(hashCredential)(email);
  const input = { identity, ...present({ emailHash }), linkedAt: machine.now(), at: clock.now() };
  const found = await store.signInBy(input);
  if (found === 'removed') return 'unknown';
  if (found !== 'unknown') return found;
  if (email === undefined) return 'no_email';
  const added = asOperator(identity);
  const { defaultRole: role } = deps;
  if (role === undefined || added === undefined) return 'unknown';
  const operatorId = newId(random, 'op');
  // Another process may have added them in between: then they are found all the same.
  await store.add({ ...added, role, operatorId, createdAt: machine.now() }, clock.now());
  const again = await store.signInBy(input);
  return again === 'removed' ? 'unknown' : again;
}

const address = /^[!-?A-~]{1,250}@[!-?A-~]{1,69}$/;
const nameLength = 200;

/** By the name that the provider has, or else the address; undefined for an address that cannot be kept. */
function asOperator({ email, name }: Identity): Pick<NewOperator, 'name' | 'email'> | undefined {
  if (email === undefined || !address.test(email)) return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = (name ?? '').replace(/[\x00-\x1f\x7f]/g, ' ').trim();
  return { name: plain.slice(0, nameLength) || email, email: email.toLowerCase() };
}
