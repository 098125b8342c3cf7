import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import type {
  ExperimentsJson,
  ModelJson as ModelAnswer,
  RequestWhatIfBody,
  TrainingJson,
  WhatIfJson,
} from './generated/models.ts';
import { lookAgainAfterMs } from './look-again.ts';
import { apiPath, get, type Query, send } from './request.ts';
import { useChange } from './use-change.ts';

/** How well a model predicted tries that it was not made from. */
export interface QualityJson {
  readonly model_id?: string;
  readonly tries?: number;
  readonly log_loss?: number;
  readonly auc?: number;
  readonly calibration_error?: number;
  readonly decision_value?: number;
}

/** The members of `metrics` that are shown; older models may lack some. */
export type ModelJson = Omit<ModelAnswer, 'metrics'> & {
  readonly metrics: {
    readonly tries?: number;
    /** Whether its training made it active. */
    readonly promoted?: boolean;
    readonly verdict?: string;
    readonly held_out?: QualityJson;
    readonly present?: QualityJson;
  };
};

export interface ModelsJson {
  readonly models: readonly ModelJson[];
  readonly trainings: readonly TrainingJson[];
}

/** Between two looks at work in the background. */
const lookMs = 1_000;

/** Whether work that was asked for is under way. */
export function isUnderWay({ state }: { readonly state: string }): boolean {
  return state !== 'done' && state !== 'failed';
}

export function useModels(): UseQueryResult<ModelsJson> {
  return useQuery<ModelsJson>({
    queryKey: ['models'],
    queryFn: ({ signal }) => get('/api/models', {}, signal),
    refetchInterval: ({ state }) => (state.data?.trainings.some(isUnderWay) ? lookMs : false),
  });
}

/** Of one merchant, or of all that have none of their own. */
export function useTrain(merchantId: string | undefined): UseMutationResult<unknown, Error, void> {
  return useChange(
    () =>
      send(
        'POST',
        '/api/models/train',
        merchantId === undefined ? {} : { merchant_id: merchantId },
      ),
    { shown: ['models'] },
  );
}

export function useActivateModel(): UseMutationResult<ModelsJson, Error, string> {
  return useChange((id: string) => send<ModelsJson>('POST', apiPath('models', id, 'activate')), {
    shown: ['models'],
  });
}

/** Looks again until everything that changed before `askedAt` is counted, and then no more. */
export function useExperiments(query: Query, askedAt: Date): UseQueryResult<ExperimentsJson> {
  return useQuery({
    queryKey: ['experiments', query],
    queryFn: ({ signal }) => get<ExperimentsJson>('/api/experiments', query, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: ({ state }) => lookAgainAfterMs(state.data?.as_of, askedAt, 0),
  });
}

interface WhatIfsJson {
  readonly what_ifs: readonly WhatIfJson[];
}

export function useWhatIfs(merchantId: string): UseQueryResult<WhatIfsJson> {
  return useQuery<WhatIfsJson>({
    queryKey: ['what-ifs', merchantId],
    queryFn: ({ signal }) => get('/api/what-ifs', { merchant_id: merchantId }, signal),
    refetchInterval: ({ state }) => (state.data?.what_ifs.some(isUnderWay) ? lookMs : false),
  });
}

export function useRequestWhatIf(): UseMutationResult<WhatIfJson, Error, RequestWhatIfBody> {
  return useChange((terms: RequestWhatIfBody) => send<WhatIfJson>('POST', '/api/what-ifs', terms), {
    shown: ['what-ifs'],
  });
}
