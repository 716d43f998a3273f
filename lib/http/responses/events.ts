import { eventList } from '../../domain/event-list-responses.ts';
import { responses } from '../contract.ts';

export const listEvents = responses({ 200: { description: 'A page of events', schema: eventList } });
