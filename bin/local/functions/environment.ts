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
