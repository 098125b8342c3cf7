import { createRequire } from 'node:module';

/**
 * The parts of Adyen's own library that are used, each by its file: loading the whole library takes
 * a second, these a tenth of it. They are CommonJS, and are loaded as such, so that their `default`
 * means the same wherever this runs.
 */
const load = createRequire(import.meta.url);
const library = '@adyen/api-library/lib/src';

const client: typeof import('@adyen/api-library/lib/src/client.js') = load(`${library}/client.js`);
const validator: typeof import('@adyen/api-library/lib/src/utils/hmacValidator.js') = load(
  `${library}/utils/hmacValidator.js`,
);

export const AdyenSdkClient = client.default;
export const AdyenHmacValidator = validator.default;
