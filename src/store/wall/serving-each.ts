import { serve } from './serving.ts';

/** Methods that each say whose data they are about. */
type OfMerchants<Api> = {
  readonly [Name in keyof Api]: Api[Name] extends (input: infer Input) => unknown
    ? Input extends { readonly merchantId: string }
      ? Api[Name]
      : never
    : never;
};

/** The same methods, each of which serves the merchant that it is asked for. */
export function servingEach<Api extends object>(api: Api & OfMerchants<Api>): Api {
  const methods = Object.entries(api) as [string, (input: { merchantId: string }) => unknown][];
  const serving = methods.map(([name, method]) => [
    name,
    (input: { readonly merchantId: string }) => serve(input.merchantId, () => method(input)),
  ]);
  return Object.fromEntries(serving) as Api;
}
