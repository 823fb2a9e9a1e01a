/** Put in by the build, and by the test runner's configuration. */
declare const CC_VERSION: string;

/** Version of this package, as `package.json` says. */
export const VERSION: string = CC_VERSION;
