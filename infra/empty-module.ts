/**
 * Replaces, in the bundles, modules of packages that the functions contain but never use. `infra/bundle.ts` names them.
 * The client for S3 calls these two when it is created.
 */
export const eventStreamSerdeProvider = (): undefined => undefined;
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
