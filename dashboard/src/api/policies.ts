import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { apiPath, get, type Query, send } from './request.ts';
import type { FigureJson } from './uplift.ts';

/** How well a model foretold tries that it was not made from. */
export interface QualityJson {
  readonly model_id?: string;
  readonly tries?: number;
  readonly log_loss?: number;
  readonly auc?: number;
  readonly calibration_error?: number;
  readonly decision_value?: number;
}

export interface ModelJson {
  readonly id: string;
  /** Absent: it plans for every merchant without one of its own. */
  readonly merchant_id?: string;
  readonly status: 'candidate' | 'active' | 'retired';
  readonly origin: 'shipped' | 'trained';
  readonly metrics: {
    readonly tries?: number;
    /** Whether its training made it active. */
    readonly promoted?: boolean;
    readonly verdict?: string;
    readonly held_out?: QualityJson;
    readonly present?: QualityJson;
  };
  readonly drift?: {
    readonly tries: number;
    readonly successes: number;
    readonly foretold: number;
  };
  readonly alert?: string;
  readonly alert_since?: string;
  readonly created_at: string;
  readonly activated_at?: string;
}

export interface TrainingJson {
  readonly merchant_id?: string;
  readonly state: 'queued' | 'reading' | 'training' | 'done' | 'failed';
  readonly tries: number;
  readonly words: string;
  readonly requested_at: string;
  readonly updated_at: string;
}

export interface ModelsJson {
  readonly models: readonly ModelJson[];
  readonly trainings: readonly TrainingJson[];
}

export interface ArmSumsJson {
  readonly arm: string;
  readonly share?: number;
  readonly payments: number;
  readonly recovered: number;
  readonly recovered_rate?: FigureJson;
  readonly tries: number;
  readonly succeeded: number;
  readonly success_rate?: FigureJson;
}

export interface ExperimentJson {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly since: string;
  readonly figures_from: string;
  readonly window_days: number;
  readonly max_attempts: number;
  readonly fixed_days: readonly number[];
  readonly assignment: string;
  readonly model_id: string;
  readonly own_model: boolean;
  readonly fallback?: { readonly reason: string; readonly since?: string };
  readonly arms: readonly ArmSumsJson[];
}

/** What the history carries, or why it does not. */
export interface ClaimJson {
  readonly claimed: boolean;
  readonly n: number;
  readonly logged?: FigureJson;
  readonly snips?: FigureJson;
  readonly doubly_robust?: FigureJson;
  readonly effective_sample?: number;
  readonly reason?: string;
  readonly words?: string;
}

export interface WhatIfResultJson {
  readonly charges: number;
  readonly capped: boolean;
  readonly failures: number;
  readonly decisions: number;
  readonly asked: number;
  readonly trained: boolean;
  readonly propensities: 'logged' | 'estimated';
  readonly would_try: number;
  readonly median_delay_days?: number;
  readonly tries: number;
  readonly succeeded: number;
  readonly success_rate?: FigureJson;
  readonly next_try: ClaimJson;
  readonly payment: ClaimJson;
}

export interface TermsJson {
  readonly merchant_id: string;
  readonly policy: string;
  readonly window_days: number;
  readonly max_tries: number;
}

export interface WhatIfJson extends TermsJson {
  readonly id: string;
  readonly fixed_days?: readonly number[];
  readonly state: 'queued' | 'reading' | 'testing' | 'done' | 'failed';
  readonly charges_read: number;
  readonly error?: string;
  readonly completed_at?: string;
  readonly result?: WhatIfResultJson;
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
  return useChange('models', () =>
    send('POST', '/api/models/train', merchantId === undefined ? {} : { merchant_id: merchantId }),
  );
}

export function useActivateModel(): UseMutationResult<ModelsJson, Error, string> {
  return useChange('models', (id: string) =>
    send<ModelsJson>('POST', apiPath('models', id, 'activate')),
  );
}

export function useExperiments(
  query: Query,
): UseQueryResult<{ readonly experiments: readonly ExperimentJson[] }> {
  return useQuery({
    queryKey: ['experiments', query],
    queryFn: ({ signal }) => get('/api/experiments', query, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
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

export function useRequestWhatIf(): UseMutationResult<WhatIfJson, Error, TermsJson> {
  return useChange('what-ifs', (terms: TermsJson) =>
    send<WhatIfJson>('POST', '/api/what-ifs', terms),
  );
}

function useChange<Input, Answer>(
  key: string,
  mutationFn: (input: Input) => Promise<Answer>,
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queries.invalidateQueries({ queryKey: [key] }),
  });
}
