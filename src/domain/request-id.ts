/**
 * The receipt of an accepted request: a UUID, a number of 56 digits and the 12-digit partition of the
 * log, joined by colons.
 */
export interface RequestId {
  readonly uuid: string;
  /** Of receipts that were given out before it was `numberOf`: the sequence number of the log's row. */
  readonly number: bigint;
  readonly partition: number;
}

const numberDigits = 56;
const partitionDigits = 12;
const shape = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(\d{56}):(\d{12})$/;

/** A receipt as answers have it: its number and partition padded with zeros (interface, 2.2). */
export function formatRequestId(id: RequestId): string {
  const number = id.number.toString().padStart(numberDigits, '0');
  const partition = id.partition.toString().padStart(partitionDigits, '0');
  return `${id.uuid}:${number}:${partition}`;
}

/** The parts of a request id, or undefined for a text of another shape. */
export function parseRequestId(text: string): RequestId | undefined {
  const parts = shape.exec(text);
  if (parts?.[1] === undefined || parts[2] === undefined || parts[3] === undefined) {
    return undefined;
  }
  return { uuid: parts[1], number: BigInt(parts[2]), partition: Number(parts[3]) };
}

/**
 * The number of a receipt: the UUID's bits once more, in decimal. A count of rows in its place would
 * tell each merchant how much all others send.
 */
export function numberOf(uuid: string): bigint {
  return BigInt(`0x${uuid.replaceAll('-', '')}`);
}

const partitions = 64;

/** The log's partition of a merchant: FNV-1a of the id, so that every process finds the same. */
export function partitionOf(merchantId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < merchantId.length; index += 1) {
    hash = Math.imul(hash ^ merchantId.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % partitions;
}
