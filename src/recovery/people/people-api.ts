import type { OperatorRole } from '../../domain/access/operators.ts';

/** Who signs in: the one token, or a person. */
export interface SignedIn {
  /** Absent: whoever holds OPERATOR_TOKEN. */
  readonly operatorId?: string;
  /** The personal token that was given; absent: there was none, or a session stands for it. */
  readonly tokenId?: string;
  readonly role: OperatorRole;
  /** The merchants that they may see; absent: all. */
  readonly merchants?: readonly string[];
  /** They are no operator: a merchant's own people look at their merchant. */
  readonly portal?: PortalVisit;
}

/** Somebody who looks at the portal of one merchant. */
export interface PortalVisit {
  readonly merchantId: string;
  readonly endsAt: Date;
  /** The link that let them in; absent: an API key of the merchant did. */
  readonly linkId?: string;
  /** The origin of the site that may show the portal in a frame. */
  readonly embedOrigin?: string;
}

export interface OperatorView {
  readonly operatorId: string;
  readonly name: string;
  /** In lower case; absent for who signs in by tokens alone. */
  readonly email?: string;
  readonly role: OperatorRole;
  readonly merchants?: readonly string[];
  readonly createdAt: Date;
  readonly removedAt?: Date;
}

export interface OperatorTokenView {
  readonly tokenId: string;
  readonly operatorId: string;
  /** The text's beginning and end. */
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date;
  /** To the minute or so. */
  readonly lastUsedAt?: Date;
}

/** Shown once: the text cannot be read again. */
export interface IssuedToken extends OperatorTokenView {
  readonly text: string;
}

export interface NewOperator {
  readonly name: string;
  readonly email?: string;
  readonly role: OperatorRole;
  readonly merchants?: readonly string[];
}

export interface OperatorChange {
  readonly name?: string;
  readonly role?: OperatorRole;
  /** `all` takes the limit away. */
  readonly merchants?: readonly string[] | 'all';
}

/** Who somebody is at an OpenID Connect provider. */
export interface Identity {
  readonly issuer: string;
  /** Never given to anybody else there, as an address may be. */
  readonly subject: string;
  /** That the provider vouches for. */
  readonly email?: string;
  readonly name?: string;
}

/** Operators and their personal tokens. Each act stands in the audit log. */
export interface PeopleApi {
  list(): Promise<readonly OperatorView[]>;
  find(operatorId: string): Promise<OperatorView | undefined>;
  /** @throws AppError conflict for an e-mail address that somebody has, not_found for a merchant that is not there */
  add(operator: NewOperator): Promise<OperatorView>;
  /** Their sessions end with it. Undefined: there is none, or not any more. */
  change(operatorId: string, change: OperatorChange): Promise<OperatorView | undefined>;
  /**
   * Ends their sessions and tokens, and forgets the address; the name stays, for the audit log. Signing in at a
   * provider lets them in no more, until somebody adds their address again.
   */
  remove(operatorId: string): Promise<boolean>;
  listTokens(operatorId: string): Promise<readonly OperatorTokenView[]>;
  /** @throws AppError conflict for a twenty-first valid token */
  issueToken(operatorId: string, validMs: number): Promise<IssuedToken | undefined>;
  revokeToken(operatorId: string, tokenId: string): Promise<boolean>;
  /**
   * Which operator it is: by the subject, or the first time by the address. Nobody is added, unless a
   * default role says so.
   */
  signInBy(identity: Identity): Promise<SignedIn | 'no_email' | 'unknown' | 'of_another'>;
  /** Whose token it is; undefined for one that is wrong, over or revoked. */
  findByToken(text: string): Promise<SignedIn | undefined>;
}
