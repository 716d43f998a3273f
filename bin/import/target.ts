import { resolve } from 'node:path';
import { localService } from '../local/description.ts';

/** The service that a file goes to, and the credentials for it. */
export type Target = { baseUrl: string; clientId: string; clientSecret: string };

type Environment = Readonly<Record<string, string | undefined>>;

const names = ['ONBOARDING_BASE_URL', 'ONBOARDING_CLIENT_ID', 'ONBOARDING_CLIENT_SECRET'] as const;

/** The service that the environment names, or the running local service if it names none. @throws CannotRun */
export function targetOf(environment: Environment): Target {
  const [baseUrl, clientId, clientSecret] = names.map((name) => environment[name]);
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === names.length) return localTarget(resolve(environment.DATA_DIR || '.data'));
  if (!baseUrl || !clientId || !clientSecret) throw new CannotRun(`Set ${missing.join(' and ')} as well.`);
  return { baseUrl, clientId, clientSecret };
}

function localTarget(directory: string): Target {
  try {
    const { base_url, client_id, client_secret } = localService(directory);
    return { baseUrl: base_url, clientId: client_id, clientSecret: client_secret };
  } catch (error) {
    const message = `No local service is running here. Start it with npm start, or set ${names.join(', ')}.`;
    throw new CannotRun(message, { cause: error });
  }
}

/** Why an import did not start or did not finish, as a message for the operator. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
