/** The parts of a CloudFormation template that the commands read or change. */
export type Template = { Resources: Record<string, Resource>; Outputs?: Record<string, { Value?: unknown }> };

export type Resource = {
  Type: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
  DependsOn?: string | string[];
  UpdatePolicy?: unknown;
};

type Policy = { PolicyName: string; PolicyDocument: { Statement: Statement[] } };
export type Statement = Record<string, unknown>;

/** The policy of a role: the roles of the stack have one each. */
export const policyOf = ({ Type, Properties }: Resource): Policy | undefined =>
  Type === 'AWS::IAM::Role' ? (Properties?.Policies as Policy[] | undefined)?.[0] : undefined;

/** Ids of the resources that a value refers to. */
export function referredBy(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referredBy);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref') return [String(inner)];
    if (key === 'Fn::GetAtt') return [String([inner].flat()[0]).split('.')[0]!];
    return referredBy(inner);
  });
}
