export type Resource = {
  Type: string;
  Properties?: Record<string, unknown>;
  DependsOn?: string | string[];
  UpdatePolicy?: unknown;
};

type Rule = {
  /** The resources that it applies to. */
  matches(resource: Resource): boolean;
  why: string;
};

const ofType =
  (...types: string[]) =>
  ({ Type }: Resource): boolean =>
    types.includes(Type);

/** What the copy of the template for the emulator leaves out. The stack itself is never changed. */
export const leftOut: readonly Rule[] = [
  {
    matches: ofType('AWS::SecretsManager::ResourcePolicy'),
    why: 'the emulator has no such resource; that only the token function reads the keys is not tried',
  },
  {
    matches: ofType('AWS::SecretsManager::RotationSchedule'),
    why: 'the emulator has no such resource; the rehearsal invokes the four steps of a rotation itself',
  },
  {
    matches: ofType('AWS::CloudFormation::Stack'),
    why: 'it has only alarms, the dashboard and deployment groups, and the emulator has no alarms with metric math',
  },
];

/** For resources of a type that the emulator does not have, if no rule above gives a reason. */
export const unknownType = 'the emulator has no such resource';

/** `Ref` of these resources is replaced by this attribute, which has the value that `Ref` has on AWS. */
export const references: Readonly<Record<string, { attribute: string; why: string }>> = {
  'AWS::SecretsManager::Secret': {
    attribute: 'Id',
    why: 'for the emulator, Ref of a secret is its name; the attribute Id is its ARN, as Ref is on AWS',
  },
};

/** What the rehearsal cannot try at all, on any template. */
export const notTried: readonly string[] = [
  'Real throttling, timeouts, memory limits, concurrency limits and cold start times of Lambda and DynamoDB.',
  'Alarms, metric filters and the dashboard. Log groups and notifications are created but not used.',
  'The permissions of the queue triggers to receive and delete messages: the emulator receives them itself.',
  'The permission of a function to write its log: the emulator writes it itself.',
  'The refusal of plain HTTP and of old TLS versions: the emulator is reached by plain HTTP, which counts as TLS.',
  'Encryption keys, point-in-time recovery, deletion protection, lifecycle rules and versions of buckets.',
  'A custom domain, its certificate, and anything in front of the API.',
  'The permissions of the person or pipeline that deploys: the rehearsal deploys as the root user of the emulator.',
];
