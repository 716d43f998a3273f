import { credentials } from '../../lib/runtime/access.ts';

/** Replaces the SDK's chain of credential providers in the baselines. Its other providers are 143 KB. */
export const defaultProvider = () => credentials;
