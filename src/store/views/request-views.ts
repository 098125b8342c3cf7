import { present } from '../../domain/present.ts';
import { numberOf, partitionOf, type RequestId } from '../../domain/request-id.ts';
import type { RequestView } from '../../recovery/api.ts';
import type { Queryable, Statement } from '../database.ts';

const find: Statement = {
  name: 'find_request',
  text: `
    select kind, state, received_at, applied_at, outcome from requests
    where merchant_id = $1 and uuid = $2 and ($3::bigint is null or sequence = $3)`,
};

interface RequestRow {
  readonly kind: RequestView['kind'];
  readonly state: RequestView['status'];
  readonly received_at: Date;
  readonly applied_at: Date | null;
  readonly outcome: RequestView['outcome'] | null;
}

/** Old receipts have the row's sequence number, a bigint: a larger one names nothing. */
const maxSequence = 2n ** 63n - 1n;

export async function findRequest(
  db: Queryable,
  input: { readonly merchantId: string; readonly requestId: RequestId },
): Promise<RequestView | undefined> {
  const { merchantId, requestId } = input;
  const { uuid, number, partition } = requestId;
  const isOld = number !== numberOf(uuid);
  if (isOld && number > maxSequence) return undefined;
  if (partition !== partitionOf(merchantId)) return undefined;
  const sequence = isOld ? number.toString() : null;
  const [row] = await db.query<RequestRow>(find, [merchantId, uuid, sequence]);
  if (row === undefined) return undefined;
  return {
    requestId,
    kind: row.kind,
    status: row.state,
    receivedAt: row.received_at,
    ...present({ appliedAt: row.applied_at ?? undefined }),
    ...(row.outcome !== null && row.outcome !== undefined && { outcome: row.outcome }),
  };
}
