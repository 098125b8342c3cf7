import {
  type QueryKey,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';

/** What a change makes stale. */
export interface Stale {
  /** What the page shows that changes it: the change is over once this was read again. */
  readonly shown: QueryKey;
  /** What is read again beside it, and not waited for. */
  readonly others?: readonly QueryKey[];
  /** After a refusal too: for what may have been done, or moved on, all the same. */
  readonly afterRefusal?: boolean;
}

/** Something that is changed by the API, and read again from there. */
export function useChange<Input, Answer>(
  mutationFn: (input: Input) => Promise<Answer>,
  { shown, others = [], afterRefusal = false }: Stale,
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  const readAgain = async () => {
    await queries.invalidateQueries({ queryKey: shown });
    for (const queryKey of others) void queries.invalidateQueries({ queryKey });
  };
  return useMutation({
    mutationFn,
    ...(afterRefusal ? { onSettled: readAgain } : { onSuccess: readAgain }),
  });
}
