import type { WireAnswer, WireRequest, WireServer } from '../wire/wire.ts';
import { json, type PspWorld } from './psp-world.ts';

interface Kept {
  readonly request: string;
  readonly charge: Readonly<Record<string, unknown>>;
}

const networkCodes = { insufficient_funds: '51', do_not_honor: '05', expired: '54', stolen: '43' };

/**
 * The sandbox's API with a memory that lasts for ever: the same key gives the same charge, also after
 * a failure of its own, and its record can be asked by key.
 */
export function createSandboxPsp(world: PspWorld): WireServer {
  const kept = new Map<string, Kept>();
  const { record, issuer, nowMs } = world;

  function charge(request: WireRequest): WireAnswer {
    const key = request.headers['idempotency-key'] ?? '';
    const body = JSON.parse(request.body) as ChargeBody;
    const known = kept.get(`${body.merchant} ${key}`);
    if (known !== undefined) {
      return known.request === request.body
        ? answerOf(known.charge)
        : json(422, { error: { type: 'idempotency_error', message: 'Other parameters.' } });
    }
    const made = make(request, key, body);
    kept.set(`${body.merchant} ${key}`, { request: request.body, charge: made });
    return answerOf(made);
  }

  function make(request: WireRequest, key: string, body: ChargeBody) {
    const verdict = issuer.decide(body.payment_method, nowMs());
    const chargeId = `ch_sandbox_${kept.size + 1}`;
    const state = verdict.kind === 'approved' ? ('succeeded' as const) : ('declined' as const);
    record.charges.push({
      psp: 'sandbox',
      account: 'sandbox',
      chargeId,
      debtId: issuer.cards.get(body.payment_method)?.debtId ?? '',
      origin: 'ours',
      key,
      methodId: body.payment_method,
      amountMinor: body.amount,
      currency: body.currency,
      state,
      ...(verdict.kind === 'declined' && { declineCode: verdict.code }),
      atMs: nowMs(),
      sentMs: request.sentMs,
    });
    return {
      id: chargeId,
      status: state,
      created_at: new Date(nowMs()).toISOString(),
      idempotency_key: key,
      ...body,
      network: 'visa',
      network_transaction_id: String(100_000_000_000_000 + kept.size),
      ...(verdict.kind !== 'approved' && { error: errorOf(verdict.code) }),
    };
  }

  return {
    handle(request, fault) {
      if (fault === 'error_before') return json(500, { error: { type: 'api_error' } });
      const [path, query] = request.path.split('?');
      if (request.method === 'POST') {
        const answer = charge(request);
        return fault === 'error_after' ? json(500, { error: { type: 'api_error' } }) : answer;
      }
      const asked = new URLSearchParams(query);
      const key = asked.get('idempotency_key');
      if (path === '/v1/charges' && key === null) return json(200, listed(kept, asked));
      record.lookUps.push({ psp: 'sandbox', account: 'sandbox', key: key ?? '', atMs: nowMs() });
      const found = kept.get(`${asked.get('merchant')} ${key}`);
      const data = path === '/v1/charges' && found !== undefined ? [found.charge] : [];
      return json(200, { data, has_more: false });
    },
  };
}

/** A page of a merchant's charges, the oldest first. */
function listed(kept: ReadonlyMap<string, Kept>, asked: URLSearchParams) {
  const all = [...kept.values()]
    .map(({ charge }) => charge)
    .filter(({ merchant }) => merchant === asked.get('merchant'));
  const start = all.findIndex(({ id }) => id === asked.get('cursor')) + 1;
  const end = start + Number(asked.get('limit') ?? 50);
  const data = all.slice(start, end);
  const isMore = end < all.length;
  return { data, has_more: isMore, ...(isMore && { next_cursor: data.at(-1)?.id }) };
}

interface ChargeBody {
  readonly merchant: string;
  readonly invoice: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment_method: string;
}

function errorOf(code: keyof typeof networkCodes) {
  return {
    type: 'card_error',
    code: 'card_declined',
    network_code: networkCodes[code],
    message: code,
  };
}

function answerOf(charge: Readonly<Record<string, unknown>>): WireAnswer {
  return json(charge.status === 'succeeded' ? 200 : 402, charge);
}
