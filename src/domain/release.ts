/** The version of the service, which its APIs' documents carry: that of package.json, to which a test holds it. */
export const release = '0.1.0';
