/** The body that Adyen waits for: docs.adyen.com, development-resources/webhooks. */
export const accepted = '[accepted]';
