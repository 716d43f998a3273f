import { userInfo } from 'node:os';
import { longRequests } from '../../lib/store/connections.ts';
import { failure } from './failure.ts';

/** The user of this computer; one without a name, as in a container, has a number. */
export function localUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The ARN of this terminal's AWS identity. Asking for it needs no permission. @throws AdminFailure `unknown_caller` */
export async function callerArn(): Promise<string> {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const reason = await new STSClient({ requestHandler: longRequests }).send(new GetCallerIdentityCommand({})).then(
    ({ Arn }) => (Arn === undefined ? new Error('no ARN') : Arn),
    (error: unknown) => error,
  );
  if (typeof reason === 'string') return reason;
  const message = reason instanceof Error ? reason.message : String(reason);
  throw failure('unknown_caller', `AWS does not say whose credentials these are: ${message}`);
}
