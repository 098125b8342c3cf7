import { buildPacket } from '../../../src/disputes/evidence/build-packet.ts';
import type {
  EvidenceApi,
  EvidenceRequest,
  EvidenceResult,
  StagingResult,
  SubmissionRecord,
} from '../../../src/disputes/submission/evidence-gateway.ts';
import type {
  Submission,
  SubmissionStep,
} from '../../../src/disputes/submission/submission-ports.ts';
import type { SubmitDeps } from '../../../src/disputes/submission/submit-evidence.ts';
import { packetFacts } from '../../kits/packet-cases.ts';

export const now = new Date('2026-06-10T12:00:00Z');
export const inFlightMs = 40_000;
export const packet = buildPacket(packetFacts());
export const input = { merchantId: 'mer_1', disputeId: 'dis_1', stageOnly: false, actor: 'ann' };
export const key = {
  merchantId: 'mer_1',
  disputeId: 'dis_1',
  psp: 'stripe',
  stage: 'chargeback',
} as const;

/** A submission that stands as it is since an hour, unless it is changed. */
export function submissionOf(changes: Partial<Submission> = {}): Submission {
  return {
    kind: 'evidence',
    ...key,
    state: 'staged',
    contentHash: packet.contentHash,
    fence: 3,
    updatedAt: new Date(now.getTime() - 3_600_000),
    ...changes,
  };
}

/** A store of one submission, which anybody else may have taken a step of, and a PSP that answers as told. */
export function submissionWorld(answers: {
  readonly stage?: StagingResult | 'not_offered';
  readonly submit?: EvidenceResult;
  readonly record?: SubmissionRecord;
  /** What somebody else made of it: no step of ours is written. */
  readonly taken?: Submission | 'gone';
}) {
  const { stage = { kind: 'done' }, submit = { kind: 'done' }, taken } = answers;
  const { record = { kind: 'not_submitted' } } = answers;
  const steps: (SubmissionStep & { readonly fence: number })[] = [];
  const asked: (readonly [string, unknown?])[] = [];
  const putOff: (Date | undefined)[] = [];
  const request = (what: string, { attempt, staged, ...more }: EvidenceRequest) => {
    const reference = 'reference' in more ? more.reference : staged;
    asked.push([what, reference === undefined ? attempt : [attempt, reference]]);
  };
  const api: EvidenceApi = {
    kind: 'api',
    stage:
      stage === 'not_offered'
        ? { kind: 'not_offered', reason: 'It has no staging.' }
        : async (given) => {
            request('stage', given);
            return stage;
          },
    async submit(given) {
      request('submit', given);
      return submit;
    },
    async readSubmitted(id) {
      asked.push(['record', id]);
      return record;
    },
  };
  const deps = {
    clock: { now: () => now },
    inFlightMs,
    renderPdf: async () => new Uint8Array(),
    filesOf: async () => ({}),
    submissions: {
      find: async () => (taken === 'gone' ? undefined : taken),
      latest: async () => undefined,
      async step(_key, fence, step) {
        if (taken !== undefined) return undefined;
        steps.push({ ...step, fence });
        const { state, contentHash, reference } = step;
        const more = reference === undefined ? {} : { reference };
        return submissionOf({ state, contentHash, fence: fence + 1, updatedAt: step.at, ...more });
      },
      stepAcceptance: async () => undefined,
      findLookUpsDue: async () => [],
      async putOffLookUp(_submission, nextAt) {
        putOff.push(nextAt);
      },
    },
  } satisfies Partial<SubmitDeps>;
  return { deps: deps as unknown as SubmitDeps, api, steps, asked, putOff };
}
