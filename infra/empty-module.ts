/** Replaces, in the bundles, modules of packages that the functions contain but never use. `infra/bundle.ts` names them. */
export {};
