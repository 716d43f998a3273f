/** The environment of the deployed functions, and the local endpoints for the SDK. */
export type FunctionEnvironment = {
  TABLE_NAME: string;
  ISSUER: string;
  QUEUE_URL: string;
  DROP_BUCKET: string;
  DROP_QUEUE_URL: string;
  WEBHOOK_QUEUE_URL: string;
  LOCAL_WEBHOOKS: 'allowed';
  IMAGE_BUCKET: string;
  SIGNING_KEYS: string;
  TOKEN_LIFETIME_SECONDS: string;
  AUDIT_RETENTION_DAYS: string;
  PAYLOAD_RETENTION_DAYS: string;
  EVENT_RETENTION_DAYS: string;
  FRAME_ANCESTORS: string;
  START_PAGE: string;
  LOG_LEVEL: string;
  AWS_ENDPOINT_URL_DYNAMODB: string;
  AWS_ENDPOINT_URL_SQS: string;
  AWS_ENDPOINT_URL_S3: string;
};

/** Invalid credentials, which replace any real ones of the terminal. */
export const localAccess = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
const localAws = {
  AWS_REGION: localAccess.region,
  AWS_ACCESS_KEY_ID: localAccess.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localAccess.credentials.secretAccessKey,
};
const realAws = ['AWS_SESSION_TOKEN', 'AWS_PROFILE', 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'];

/** Keeps this process from using a real AWS account. Must run before the first SDK client is made. */
export function clearAwsEnvironment(): void {
  for (const name of realAws) delete process.env[name];
  Object.assign(process.env, localAws);
}

/** Sets the environment variables that Lambda would set. */
export function setEnvironment(environment: FunctionEnvironment): void {
  Object.assign(process.env, environment);
}
