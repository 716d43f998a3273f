/** Replaces, in the bundles, modules of packages that the functions contain but never use. `infra/bundle.ts` names them. */

/** The client of S3 is configured with these, for S3 Select. */
export const eventStreamSerdeProvider = (): undefined => undefined;
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
