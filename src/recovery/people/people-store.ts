import type {
  Identity,
  OperatorChange,
  OperatorTokenView,
  OperatorView,
  PeopleApi,
  SignedIn,
} from './people-api.ts';

/** Operators in the database. `at` is the time of the line of the audit log in the same transaction. */
export interface PeopleStore extends Pick<PeopleApi, 'list' | 'find' | 'listTokens'> {
  add(operator: OperatorView, at: Date): Promise<'added' | 'email_taken' | 'no_merchant'>;
  change(input: {
    readonly operatorId: string;
    readonly change: OperatorChange;
    readonly at: Date;
  }): Promise<OperatorView | 'no_merchant' | undefined>;
  /** Of the address its keyed hash stays, by which whoever has it is known as removed. */
  remove(input: {
    readonly operatorId: string;
    readonly hashEmail: (email: string) => string;
    readonly removedAt: Date;
    readonly at: Date;
  }): Promise<boolean>;
  addToken(
    token: OperatorTokenView & {
      readonly hash: string;
      readonly maxValid: number;
      readonly at: Date;
    },
  ): Promise<'added' | 'no_operator' | 'too_many'>;
  /** Who it is by the subject, or else by the address, which then belongs to the subject. */
  signInBy(input: {
    readonly identity: Identity;
    /** Of its address in small letters. */
    readonly emailHash?: string;
    readonly linkedAt: Date;
    readonly at: Date;
  }): Promise<SignedIn | 'unknown' | 'removed' | 'of_another'>;
  revokeToken(input: {
    readonly operatorId: string;
    readonly tokenId: string;
    readonly revokedAt: Date;
    readonly at: Date;
  }): Promise<boolean>;
  /** Whose valid token it is, whose use is noted unless one was less than `atMostEveryMs` ago. */
  useToken(input: {
    readonly hash: string;
    readonly at: Date;
    readonly atMostEveryMs: number;
  }): Promise<SignedIn | undefined>;
}
