import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { longRequests } from '../../lib/store/connections.ts';
import type { Template } from './index-plan.ts';

/** The template of the stack as it is deployed, or undefined if there is no such stack. */
export async function deployedTemplate(stackName: string, region: string | undefined): Promise<Template | undefined> {
  const client = new CloudFormationClient({ requestHandler: longRequests, ...(region ? { region } : {}) });
  try {
    const { TemplateBody = '' } = await client.send(
      new GetTemplateCommand({ StackName: stackName, TemplateStage: 'Original' }),
    );
    return JSON.parse(TemplateBody);
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    if (error instanceof Error && error.message === 'Region is missing')
      throw new Error('Set the region of the stage in infra/stages.ts, or the variable AWS_REGION.', { cause: error });
    throw error;
  }
}
