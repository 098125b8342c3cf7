import { loadLibrary } from '../load-library.ts';

/** The parts of Adyen's own library that are used. */
export interface AdyenSdk {
  readonly Client: typeof import('@adyen/api-library/lib/src/client.js').default;
  readonly HmacValidator: typeof import('@adyen/api-library/lib/src/utils/hmacValidator.js').default;
  readonly environments: typeof import('@adyen/api-library/lib/src/config.js').EnvironmentEnum;
  readonly PaymentsApi: typeof import('@adyen/api-library/lib/src/services/checkout/paymentsApi.js').PaymentsApi;
  readonly ModificationsApi: typeof import('@adyen/api-library/lib/src/services/checkout/modificationsApi.js').ModificationsApi;
  readonly DisputesApi: typeof import('@adyen/api-library/lib/src/services/disputes/disputesApi.js').DisputesApi;
}

let loaded: AdyenSdk | undefined;

/** Each part by its file: loading the whole library takes a second, these a tenth of it. */
export function adyenSdk(): AdyenSdk {
  loaded ??= {
    Client: part<{ default: AdyenSdk['Client'] }>('client').default,
    HmacValidator: part<{ default: AdyenSdk['HmacValidator'] }>('utils/hmacValidator').default,
    environments: part<{ EnvironmentEnum: AdyenSdk['environments'] }>('config').EnvironmentEnum,
    ...part<Pick<AdyenSdk, 'PaymentsApi'>>('services/checkout/paymentsApi'),
    ...part<Pick<AdyenSdk, 'ModificationsApi'>>('services/checkout/modificationsApi'),
    ...part<Pick<AdyenSdk, 'DisputesApi'>>('services/disputes/disputesApi'),
  };
  return loaded;
}

function part<Exports>(file: string): Exports {
  return loadLibrary(`@adyen/api-library/lib/src/${file}.js`) as Exports;
}
