import { userInfo } from 'node:os';
import { longRequests } from '../../lib/store/connections.ts';
import { failure } from './failure.ts';

/** The user of this computer; the number of a user without a name, as in a container. */
export function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The ARN of this terminal's AWS identity. The request needs no permission. @throws AdminFailure `unknown_caller` */
export async function callerArn(): Promise<string> {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const reason = await new STSClient({ requestHandler: longRequests }).send(new GetCallerIdentityCommand({})).then(
    ({ Arn }) => (Arn === undefined ? new Error('no ARN') : Arn),
    (error: unknown) => error,
  );
  if (typeof reason === 'string') return reason;
  const message = reason instanceof Error ? reason.message : String(reason);
  throw failure('unknown_caller', `The owner of the AWS credentials cannot be read: ${message}`);
}
