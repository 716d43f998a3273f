/** What the stack gives its functions, and where the SDK finds the engine and the queue. */
export type FunctionEnvironment = {
  TABLE_NAME: string;
  ISSUER: string;
  QUEUE_URL: string;
  DROP_BUCKET: string;
  DROP_QUEUE_URL: string;
  IMAGE_BUCKET: string;
  SIGNING_KEYS: string;
  TOKEN_LIFETIME_SECONDS: string;
  FRAME_ANCESTORS: string;
  LOG_LEVEL: string;
  AWS_ENDPOINT_URL_DYNAMODB: string;
  AWS_ENDPOINT_URL_SQS: string;
  AWS_ENDPOINT_URL_S3: string;
};

/** Keys that open nothing, in place of any real ones that this terminal may hold. */
const localAws = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
const realAws = ['AWS_SESSION_TOKEN', 'AWS_PROFILE', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'];

/** Keeps the AWS SDK of this process away from any real account. Before the first client is made. */
export function clearAwsEnvironment(): void {
  for (const name of realAws) delete process.env[name];
  Object.assign(process.env, localAws);
}

/** The functions find their settings where Lambda puts them. */
export function setEnvironment(environment: FunctionEnvironment): void {
  Object.assign(process.env, environment);
}
