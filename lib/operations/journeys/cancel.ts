import type { Journey } from '../../domain/journeys/journey.ts';
import { isOverdue } from '../../domain/journeys/journey-page.ts';
import { notFound, Problem } from '../../domain/values/problem.ts';
import { timestamp } from '../../domain/values/timestamp.ts';
import { findJourney } from '../../store/journeys/journeys.ts';
import type { ContactService } from '../service.ts';
import { endJourney } from './end.ts';

/**
 * Cancels a journey. A repeat changes nothing.
 * @throws Problem `not_found` if the team has no such journey; `conflict` if it is completed or has expired
 */
export async function cancelJourney(service: ContactService, teamId: string, journeyId: string): Promise<Journey> {
  const { database, content, now } = service;
  const [key, { templates }] = await Promise.all([findJourney(database, teamId, journeyId), content.load(teamId)]);
  if (!key) throw notFound();
  const template = templates.find(({ id }) => id === key.templateId);
  const time = now();
  const isOver = (journey: Journey) => template !== undefined && isOverdue(template, journey, time);
  const end = await endJourney(service, teamId, { key, journeyId }, 'cancelled', timestamp(time), { isOver });
  if (!end) throw notFound();
  if (end.ending === 'cancelled') return end.journey;
  throw new Problem('conflict', undefined, { hint: `The journey ${ended[end.ending]}.` });
}

const ended = { completed: 'is completed', expired: 'has expired' };
