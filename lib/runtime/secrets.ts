import { SecretsClient } from '../store/secrets-client.ts';
import { access } from './access.ts';
import { once } from './base.ts';

/** For the functions that read or write secrets. */
export const secrets = once(() => new SecretsClient(access('SECRETS_MANAGER')));
