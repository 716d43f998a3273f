import { resumed } from '../../../../lib/domain/targeting/brake.ts';
import { notFound, Problem } from '../../../../lib/domain/values/problem.ts';
import { timestamp } from '../../../../lib/domain/values/timestamp.ts';
import type { Service } from '../../../../lib/operations/service.ts';
import { askForWalk } from '../../../../lib/operations/targeting/ask-for-walk.ts';
import type { Write } from '../../../../lib/store/table/database.ts';
import { brakeWrite, type Targeting } from '../../../../lib/store/targeting/rules.ts';

/** Milliseconds for which what is permitted replaces the limit of the day. */
const permittedFor = 24 * 3_600_000;

/**
 * Lets the targeting of a template that its brake has stopped start so many more journeys, first for those who wait.
 * @throws Problem `not_found`, or `conflict` if it has not stopped
 */
export async function resumeTargeting(
  service: Pick<Service, 'database' | 'now' | 'newId' | 'pause'>,
  teamId: string,
  templateId: string,
  permitted: number,
): Promise<void> {
  const resume = ({ rules }: Targeting): Write[] => {
    const rule = rules.find((each) => each.template_id === templateId);
    if (!rule) throw notFound();
    if (rule.brake.stopped_at === null) throw new Problem('conflict', [notStopped]);
    const brake = resumed(rule.brake, permitted, timestamp(service.now() + permittedFor));
    return [brakeWrite(teamId, { ...rule, brake }, rule)];
  };
  await askForWalk(service, teamId, { kind: 'held', template_id: templateId }, { beside: resume });
}

const notStopped = { path: '--template', message: 'the targeting of this template has not stopped' };
